import { readFile } from 'node:fs/promises'

/**
 * Proportional set size: the memory of a process in which a page shared by several processes counts in equal parts, so
 * that weights mapped by two servers are not counted twice. Linux only; null elsewhere.
 */
export const pssBytes = (pid: number): Promise<number | null> => fieldOf(`/proc/${pid}/smaps_rollup`, 'Pss')

/** Resident memory, shared pages in full. Linux only; null elsewhere. */
export const rssBytes = (pid: number): Promise<number | null> => fieldOf(`/proc/${pid}/status`, 'VmRSS')

const fieldOf = async (path: string, field: string): Promise<number | null> => {
  const text = await readFile(path, 'utf8').catch(() => '')
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}
