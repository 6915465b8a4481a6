const ends: (() => unknown)[] = []

/** What a test file started and shares among its tests is ended with the file, the last thing first. */
export const endsWithFile = (end: () => unknown): void => {
  ends.push(end)
}

/** Called behind the last test of every file. */
export const endFile = async (): Promise<void> => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
}
