import { statfs } from 'node:fs/promises'
import { OperatorError } from '../../base/operator-error.ts'

export type FreeBytes = (folder: string) => Promise<number>

/** Free space for this user on the disk of a folder. */
export const readFreeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Stays free, so that the database can still be written. */
const reserveBytes = 256 * 2 ** 20

/** What models may take of it. */
export const readModelSpace = async (folder: string, freeBytes: FreeBytes): Promise<number> =>
  Math.max(0, (await freeBytes(folder)) - reserveBytes)

/** How many more bytes may be written to the folder. Throws if `neededBytes` is more. */
export const checkSpace = async (
  folder: string,
  neededBytes: number | null,
  freeBytes: FreeBytes,
): Promise<{ limitBytes: number }> => {
  const limitBytes = await readModelSpace(folder, freeBytes)
  if ((neededBytes ?? 1) > limitBytes) throw shortage(folder, neededBytes, limitBytes)
  return { limitBytes }
}

export const shortage = (folder: string, neededBytes: number | null, limitBytes: number): OperatorError => {
  const needed = neededBytes === null ? 'The rest of the file' : megabytes(neededBytes)
  return new OperatorError(
    `${needed} cannot be stored in ${folder}: the disk has space for ${megabytes(limitBytes)}, besides ${megabytes(reserveBytes)} that stay free for the database`,
  )
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`
