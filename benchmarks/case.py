"""A program that is measured: a process that does one repetition whenever it is told to (see cases/serve.h)."""

import os
import pathlib
import queue
import subprocess
import threading

import verdicts


class Case:
    """Starts the program at once. `failure` says why it cannot go on, or is None."""

    def __init__(self, program, threads, patience, arguments=(), dumps=None):
        self.patience = patience
        self.values, self.bytes, self.flops, self.outputs = {}, {}, {}, {}
        self.failure, self.memory = None, None
        environment = dict(os.environ, FLUORITE_NUM_THREADS=str(threads), HL_NUM_THREADS=str(threads))
        environment |= {"BENCH_DUMPS": str(dumps)} if dumps else {}
        self.complaints = open(f"{program}.err", "w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen([str(program), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.complaints, text=True, env=environment)
        self.lines = queue.Queue()
        threading.Thread(target=self.pump, daemon=True).start()
        self.read_until("ready", keep=True)

    def pump(self):
        with self.process.stdout as lines:
            for line in lines:
                self.lines.put(line)
        self.lines.put(None)

    def repeat(self, keep):
        """Does one repetition; its times count if keep is true."""
        if self.failure:
            return
        try:
            self.process.stdin.write("go\n")
            self.process.stdin.flush()
        except OSError:
            pass  # It has died: reading says why.
        self.read_until("end", keep)

    def read_until(self, last, keep):
        while True:
            try:
                line = self.lines.get(timeout=self.patience)
            except queue.Empty:
                self.fail(f"no answer within {self.patience} s")
                return
            if line is None:
                self.fail(self.last_words())
                return
            words = line.split()
            if words == [last]:
                return
            self.note(words, keep)

    def note(self, words, keep):
        """Takes a line of the program in; lines that are no report are what generated code prints."""
        if words[:1] == ["value"] and keep:
            self.values.setdefault(words[1], []).append(float(words[2]))
        elif words[:1] == ["bytes"]:
            self.bytes[words[1]] = float(words[2])
        elif words[:1] == ["flops"]:
            self.flops[words[1]] = float(words[2])
        elif words[:1] == ["output"]:
            self.outputs.setdefault(words[1], []).append(verdicts.Output(*words[2:6], " ".join(words[6:])))

    def last_words(self):
        self.process.wait()
        self.complaints.seek(0)
        text = self.complaints.read().strip().splitlines()
        return text[0] if text else f"ended with status {self.process.returncode}"

    def fail(self, reason):
        self.failure = reason
        self.process.kill()

    def close(self):
        """Ends the process, which has to end well; what it has dumped stays."""
        if self.process.poll() is None:
            self.memory = peak_memory(self.process.pid)
            self.end_input()
            try:
                self.process.wait(timeout=self.patience)
            except subprocess.TimeoutExpired:
                self.fail(f"did not end within {self.patience} s")
        if self.process.wait() != 0 and not self.failure:
            self.failure = self.last_words()
        self.end_input()
        self.complaints.close()

    def end_input(self):
        try:
            self.process.stdin.close()
        except OSError:
            pass  # It has died with a request unread.


def peak_memory(process):
    """The most bytes a process has held in memory, or None where the system does not tell."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    kibibytes = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return 1024 * int(kibibytes[0]) if kibibytes else None


def run_to_end(program, threads, patience, arguments):
    """The values that a program reports which ends by itself, and why it failed, or None."""
    environment = dict(os.environ, FLUORITE_NUM_THREADS=str(threads), HL_NUM_THREADS=str(threads))
    try:
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, env=environment,
                              timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        return {}, f"no end within {patience} s"
    values = {}
    for words in map(str.split, done.stdout.splitlines()):
        if words[:1] == ["value"]:
            values.setdefault(words[1], []).append(float(words[2]))
    complaint = done.stderr.strip().splitlines()
    return values, (complaint or [f"ended with status {done.returncode}"])[0] if done.returncode else None
