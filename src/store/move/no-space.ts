/** Nothing is lost, and what was copied stays. */
export const noSpace = (place: string): string =>
  `No space is left on the disk of ${place}. Free or add space and run the same command again, which continues the copy.`
