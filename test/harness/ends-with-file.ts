const ends: (() => unknown)[] = []

/** Resources that a test file shares among its tests end with the file, in reverse order of creation. */
export const endsWithFile = (end: () => unknown): void => {
  ends.push(end)
}

/** Called after the last test of every file. */
export const endFile = async (): Promise<void> => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
}
