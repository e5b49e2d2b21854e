/** A package that users install if they want it; undefined if it is not there. */
export async function optionalPackage<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    const isAbsent =
      error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (isAbsent || String(error).includes("Cannot find package")) return undefined;
    throw error;
  }
}
