/** Whether there is memory, and space on the disk, for a model that is not here yet. */
export type Fit = 'fits' | 'memory' | 'disk'

/** The context and the buffers of a model come on top of its weights. How much they take is known only from its metadata. */
export const estimateNeeded = (sizeBytes: number): number => Math.round(sizeBytes * 1.1) + 256 * 2 ** 20

export const decideFit = (sizeBytes: number, there: { memoryBytes: number; diskBytes: number }): Fit => {
  if (estimateNeeded(sizeBytes) > there.memoryBytes) return 'memory'
  return sizeBytes > there.diskBytes ? 'disk' : 'fits'
}
