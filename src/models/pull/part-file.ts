import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { isObject } from '../../engine/json-file.ts'

/**
 * A download that is not complete. The `.part` file contains the bytes received so far; the `.part.json` beside it says
 * of which version of which address they are.
 */
export type PartState = {
  url: string
  /** A strong ETag or a date, to ask for the rest of the same version; null if the server sends neither. */
  validator: string | null
  totalBytes: number | null
  /** As announced by the server; lower-case hexadecimal. */
  sha256: string | null
}

/** Bytes that can be continued. */
export type KeptPart = { state: PartState & { validator: string }; bytes: number }

export const partPath = (path: string): string => `${path}.part`
const statePath = (path: string): string => `${path}.part.json`

/** Null if there is nothing to continue, or of another address. */
export const readPart = async (path: string, url: string): Promise<KeptPart | null> => {
  try {
    const json = parseJsonText(await readFile(statePath(path), 'utf8'))
    const { size } = await stat(partPath(path))
    if (!isObject(json) || json.url !== url || typeof json.validator !== 'string' || size === 0) return null
    const { validator, totalBytes, sha256 } = json
    return {
      state: {
        url,
        validator,
        totalBytes: typeof totalBytes === 'number' ? totalBytes : null,
        sha256: typeof sha256 === 'string' ? sha256 : null,
      },
      bytes: size,
    }
  } catch {
    return null
  }
}

/** Begins a download again from its first byte. */
export const startPart = async (path: string, state: PartState): Promise<void> => {
  // The old state must not describe the new bytes, nor the other way round, if the process ends in between.
  await rm(statePath(path), { force: true })
  await (await open(partPath(path), 'w', 0o600)).close()
  const file = await open(statePath(path), 'w', 0o600)
  await file.writeFile(JSON.stringify(state))
  await file.close()
}

export const removePart = async (path: string): Promise<void> => {
  await rm(statePath(path), { force: true })
  await rm(partPath(path), { force: true })
}

/** Puts a complete download in its place in one step. */
export const finishPart = async (path: string): Promise<void> => {
  const file = await open(partPath(path), 'r+')
  await file.sync().finally(() => file.close())
  await rename(partPath(path), path)
  await rm(statePath(path), { force: true })
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}
