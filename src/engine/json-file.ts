import { readFile } from 'node:fs/promises'
import { parseJsonText } from '../base/parse-json-text.ts'
import { ModelRefused } from './model-refused.ts'

export type JsonObject = Record<string, unknown>

/** Reads a file that contains one JSON object; null if the file does not exist. */
export const readJsonObject = async (path: string): Promise<JsonObject | null> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw new ModelRefused(`${path} cannot be read (${error.code}): check its permissions.`)
  })
  if (text === null) return null
  const value = parse(text, path)
  if (!isObject(value)) throw new ModelRefused(`${path} does not contain a JSON object: restore the file.`)
  return value
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parse = (text: string, path: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    throw new ModelRefused(`${path} is not valid JSON: restore the file.`)
  }
}
