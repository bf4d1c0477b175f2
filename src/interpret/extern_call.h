#pragma once
// Calls of C functions whose signature is known only at run time.

#include "interpret/scalar.h"

#include <memory>
#include <string>
#include <vector>

namespace fluorite::interpret {

/// Whether a function of this signature can be called: arguments and result are integers, bool, float32, float64 or
/// pointers.
bool is_callable(const std::vector<Type> &arguments, Type result);

/// The address of the runtime's function of this name, or of the process's; null if there is none.
void *find_c_function(const std::string &name);

/// A C function with its signature. It may be called by several threads at once.
class CFunction {
  public:
    /// Precondition: the signature is callable; the result may also be of no type.
    CFunction(void *address, const std::vector<Type> &arguments, Type result);
    ~CFunction();
    CFunction(const CFunction &) = delete;
    CFunction &operator=(const CFunction &) = delete;

    /// Exceptions of the function pass through the call.
    Cell operator()(const Cell *arguments) const;

  private:
    struct Signature;
    void *address_;
    Type result_;
    std::unique_ptr<Signature> signature_;
};

/// Calls a C function of the program, and throws RuntimeError [extern-failed] if it has reported an error.
Cell call_extern(const CFunction &function, const Cell *arguments);

} // namespace fluorite::interpret
