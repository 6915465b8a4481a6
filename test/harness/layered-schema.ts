/**
 * Seven layers of `anyOf`, each with `width` references to the next: short to write, but without memoisation it expands
 * to `width` to the power of seven ends.
 */
export const layeredSchema = (width: number): Record<string, unknown> => {
  const $defs: Record<string, unknown> = { L7: { type: 'string' } }
  for (let layer = 0; layer < 7; layer += 1)
    $defs[`L${layer}`] = { anyOf: Array.from({ length: width }, () => ({ $ref: `#/$defs/L${layer + 1}` })) }
  return { oneOf: [{ $ref: '#/$defs/L0' }, { type: 'number' }], $defs }
}
