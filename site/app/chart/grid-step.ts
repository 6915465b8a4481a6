/** The distance between grid lines: 1, 2 or 5 times a power of ten, so that `lines` of them reach the highest value. */
export const gridStep = (highest: number, lines: number): number => {
  const least = Math.max(1, highest / lines)
  const power = 10 ** Math.floor(Math.log10(least))
  return (([1, 2, 5, 10] as const).find((factor) => factor * power >= least * 0.999) ?? 10) * power
}
