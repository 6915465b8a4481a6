/** The target has no disk space left. The source is unchanged, and what was copied is kept for the next attempt. */
export const noSpace = (place: string): string =>
  `No space is left on the disk of ${place}. Free or add space and run the same command again, which continues the copy.`
