import { basename } from 'node:path'
import type { TextPrefixes } from './contract.ts'
import { isObject, type JsonObject, readJsonObject } from './json-file.ts'
import { ModelRefused } from './model-refused.ts'

type ManifestFile = { name: string; sha256: string; bytes: number }
type ModelManifest = {
  name: string
  /** Unix seconds. */
  created: number
  ownedBy: string
  contextTokens: number
  /** SPDX identifier. */
  licence: string
  files: ManifestFile[]
  /** Null if texts need none. */
  prefixes: TextPrefixes | null
  /** The name of the file to load; llama.cpp finds the other parts of a split model from the first. */
  weights: string
}

/** `model.json`: lists the files of a model folder and how to verify that they are complete. */
export const readManifest = async (path: string): Promise<ModelManifest> => {
  const json = await readJsonObject(path)
  if (!json)
    throw new ModelRefused(`${path} is missing: a model folder requires it. Alternatively, specify a .gguf file.`)
  const refuse = (what: string): never => {
    throw new ModelRefused(`${path}: ${what}: restore the file.`)
  }
  const text = (from: JsonObject, field: string): string => {
    const value = from[field]
    return typeof value === 'string' && value !== '' ? value : refuse(`${field} must be a string`)
  }
  const count = (from: JsonObject, field: string): number => {
    const value = from[field]
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      ? value
      : refuse(`${field} must be a positive whole number`)
  }
  const file = (value: unknown): ManifestFile => {
    if (!isObject(value)) return refuse('each entry of files must be an object')
    const { name, sha256 } = { name: text(value, 'name'), sha256: text(value, 'sha256').toLowerCase() }
    if (basename(name) !== name || name === '..') return refuse(`files: "${name}" must be in the model folder itself`)
    if (!/^[0-9a-f]{64}$/.test(sha256)) return refuse(`files: sha256 of "${name}" must be 64 hexadecimal digits`)
    return { name, sha256, bytes: count(value, 'bytes') }
  }
  const prefixes = (value: unknown): TextPrefixes | null => {
    if (value === undefined) return null
    return isObject(value)
      ? { query: text(value, 'query'), passage: text(value, 'passage') }
      : refuse('prefixes must be an object')
  }
  const files = Array.isArray(json.files) && json.files.length > 0 ? json.files.map(file) : refuse('files is empty')
  const weights = text(json, 'weights')
  if (!files.some(({ name }) => name === weights)) return refuse('weights must be one of files')
  return {
    name: text(json, 'name'),
    created: count(json, 'created'),
    ownedBy: text(json, 'ownedBy'),
    contextTokens: count(json, 'contextTokens'),
    licence: text(json, 'licence'),
    prefixes: prefixes(json.prefixes),
    files,
    weights,
  }
}
