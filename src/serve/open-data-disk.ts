import { statfs } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { createDiskSpace, type DiskSpace, unknownDiskSpace } from '../base/disk-space.ts'
import type { Config } from '../config/settings.ts'

/** The disk with the embedded database. That of PostgreSQL is elsewhere. */
export const openDataDisk = ({ store, dataDir }: Pick<Config, 'store' | 'dataDir'>, clock: Clock): DiskSpace => {
  if (store !== null) return unknownDiskSpace
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize
  }
  return createDiskSpace({ freeBytes, clock })
}
