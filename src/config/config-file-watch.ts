import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Says whether the file of settings differs from what the server was started with. By its content: times are copied too. */
export const createConfigFileWatch = (configFile: string | undefined): (() => Promise<boolean>) => {
  const path = resolve(configFile ?? 'helix.config.json')
  const started = hashContent(readNow(path))
  return async () => hashContent(await readFile(path).catch(() => null)) !== started
}

/** Null: there is no such file, or it cannot be read. */
const readNow = (path: string): Buffer | null => {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

const hashContent = (content: Buffer | null): string | null =>
  content === null ? null : createHash('sha256').update(content).digest('base64')
