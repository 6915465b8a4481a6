import { closeSync, openSync, readSync } from 'node:fs'

const magic = '\x7fELF'
const machineAt = 18
/** As Node calls them. */
const machines = new Map([
  [3, 'ia32'],
  [40, 'arm'],
  [62, 'x64'],
  [183, 'arm64'],
  [243, 'riscv64'],
])

/** The architecture that a library of Linux is for; null if it is no such library, or another one. */
export const libraryArchitecture = (path: string): string | null => {
  const header = Buffer.alloc(machineAt + 2)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, header, 0, header.length, 0)
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
  if (header.toString('latin1', 0, magic.length) !== magic) return null
  return machines.get(header.readUInt16LE(machineAt)) ?? null
}
