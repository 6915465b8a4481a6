/** The two dotted strands above what is empty, as paths in a box of 150 by 40. */
const wave = (sign: number): string =>
  `M2 20${[0, 1, 2].map((half) => `q24.3 ${(half % 2 === 0 ? -sign : sign) * 30} 48.6 0`).join('')}`

export const waves = [
  { colour: 'var(--sent)', path: wave(1) },
  { colour: 'var(--received)', path: wave(-1) },
] as const
