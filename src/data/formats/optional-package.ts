/** A package that users may install; undefined if it is not installed. */
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
