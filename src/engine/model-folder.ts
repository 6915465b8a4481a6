import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { GgufDescription } from '../gguf/describe-gguf.ts'
import type { ModelKind, ServedModel } from './contract.ts'
import { type EndTokens, readGenerationConfig } from './generation-config.ts'
import { identifyWeights } from './identify-weights.ts'
import { inspectWeights } from './inspect-weights.ts'
import { readManifest } from './model-manifest.ts'
import { ModelRefused } from './model-refused.ts'
import type { SamplingDefaults } from './sampling.ts'

export type ModelFile = { path: string; bytes: number | null; sha256: string | null }
export type ModelFiles = {
  /** `chat` if absent. */
  kind?: ModelKind
  served: ServedModel & { contextTokens: number }
  defaults: SamplingDefaults
  /** The file to load first. */
  weightsPath: string
  /** Every weight file, with its known properties. */
  files: ModelFile[]
  /** SPDX identifier of the manifest; absent without one. */
  licence?: string
  /** What the weight files say. */
  description: GgufDescription
  endTokens: EndTokens
}
type ModelOverrides = { name?: string; contextTokens?: number }

/** More takes much memory; lowered to the trained context. */
const unmanifestedContextTokens = 8192
/** Only known from the weights themselves. */
const unopened: Pick<ServedModel, 'vocabularyTokens' | 'features'> = { vocabularyTokens: null, features: null }
const splitSuffix = /-(\d{5})-of-(\d{5})$/

/**
 * Describes the model at `path`: a folder with a `model.json`, or a single `.gguf` file. Checks names, sizes and metadata; the
 * loader checks the weights.
 */
export const readModel = async (path: string, overrides: ModelOverrides = {}): Promise<ModelFiles> => {
  const absolute = resolve(path)
  const found = await statOrRefuse(absolute, 'set the model to a model folder or a .gguf file')
  if (found.isDirectory()) return readFolder(absolute, overrides)
  if (absolute.endsWith('.gguf')) return readSingle(absolute, found, overrides)
  throw new ModelRefused(`${absolute} is not a model folder or a .gguf file: set the model to one of these.`)
}

const readFolder = async (folder: string, overrides: ModelOverrides): Promise<ModelFiles> => {
  const manifest = await readManifest(join(folder, 'model.json'))
  const { defaults, endTokens } = await readGenerationConfig(join(folder, 'generation_config.json'))
  const files = manifest.files.map(({ name, bytes, sha256 }) => ({ path: join(folder, name), bytes, sha256 }))
  for (const { path, bytes } of files) {
    const found = await statOrRefuse(path, 'restore the file or choose another model')
    requireFile(path, found)
    const { size } = found
    if (size !== bytes)
      throw new ModelRefused(`${path} has ${size} bytes, but model.json says ${bytes}: restore the file.`)
  }
  const weightsPath = join(folder, manifest.weights)
  const others = files.map(({ path }) => path).filter((path) => path !== weightsPath)
  const description = await inspectWeights([weightsPath, ...others.sort()])
  return {
    served: {
      id: overrides.name ?? manifest.name,
      created: manifest.created,
      ownedBy: manifest.ownedBy,
      weightsId: await identifyWeights(files),
      contextTokens: overrides.contextTokens ?? manifest.contextTokens,
      sampling: shownSampling(defaults),
      ...(manifest.prefixes === null ? {} : { prefixes: manifest.prefixes }),
      ...unopened,
    },
    defaults,
    weightsPath,
    files,
    kind: description.kind,
    licence: manifest.licence,
    description,
    endTokens,
  }
}

const readSingle = async (path: string, found: Stats, overrides: ModelOverrides): Promise<ModelFiles> => {
  const stem = basename(path, '.gguf')
  const parts = partPaths(path, stem)
  for (const part of parts) requireFile(part, await statOrRefuse(part, 'put all parts of the model into one folder'))
  const description = await inspectWeights(parts)
  const trainedTokens = description.trainedContextTokens ?? unmanifestedContextTokens
  const { defaults, endTokens } = await readGenerationConfig(join(dirname(path), 'generation_config.json'))
  const files = parts.map((part) => ({ path: part, bytes: null, sha256: null }))
  return {
    served: {
      id: overrides.name ?? stem.replace(splitSuffix, ''),
      created: Math.floor(found.mtimeMs / 1000),
      ownedBy: 'local',
      weightsId: await identifyWeights(files),
      contextTokens: overrides.contextTokens ?? Math.min(unmanifestedContextTokens, trainedTokens),
      sampling: shownSampling(defaults),
      ...unopened,
    },
    defaults,
    weightsPath: path,
    files,
    kind: description.kind,
    description,
    endTokens,
  }
}

const shownSampling = ({ temperature, topP }: SamplingDefaults) => ({ temperature, topP })

/** llama.cpp names the parts of a split model `…-00001-of-00003.gguf`. */
const partPaths = (path: string, stem: string): string[] => {
  const [suffix, part, total] = splitSuffix.exec(stem) ?? []
  if (!suffix || !total) return [path]
  if (Number(part) !== 1)
    throw new ModelRefused(`${path} is not the first part of a split model: specify the first part.`)
  const partName = (index: number) =>
    `${stem.slice(0, -suffix.length)}-${String(index).padStart(5, '0')}-of-${total}.gguf`
  return Array.from({ length: Number(total) }, (_, index) => join(dirname(path), partName(index + 1)))
}

const statOrRefuse = (path: string, advice: string): Promise<Stats> =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    const what = error.code === 'ENOENT' ? 'is missing' : `cannot be opened (${error.code})`
    throw new ModelRefused(`${path} ${what}: ${advice}.`)
  })

/** Opening a pipe or a device could block forever. */
const requireFile = (path: string, found: Stats): void => {
  if (!found.isFile())
    throw new ModelRefused(`${path} is not a regular file: restore the file or choose another model.`)
}
