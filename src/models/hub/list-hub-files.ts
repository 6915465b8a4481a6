import { isRecord } from '../../base/is-record.ts'
import { OperatorError } from '../../base/operator-error.ts'
import { readModelSource } from '../pull/model-source.ts'
import { shownAddress } from '../pull/shown-address.ts'
import { type HubAccess, HubFailed, readHubJson } from './read-hub-json.ts'
import { isRepositoryId } from './search-hub.ts'

/** A model in a repository of the hub: one file, or all parts of a split one. */
export type HubFile = {
  /** What `helix models pull` takes: `hf:owner/repository/file.gguf`. */
  source: string
  /** The address of its first file, as a model that was pulled from there has it. */
  from: string
  /** The name that the model gets, unless another is wanted. */
  name: string
  fileName: string
  parts: number
  sizeBytes: number
  /** From the file's name, such as `Q4_K_M`; null if it does not say. */
  quantisation: string | null
}

const maxFiles = 200
const splitSuffix = /-(\d{5})-of-(\d{5})\.gguf$/i

/** The models in a repository, the smallest first. Parts of other things, such as image projectors, are left out. */
export const listHubFiles = async (access: HubAccess, repository: string): Promise<HubFile[]> => {
  if (!isRepositoryId(repository)) throw new OperatorError(`'${repository.slice(0, 100)}' is not OWNER/REPOSITORY`)
  const json = await readHubJson(access, `/api/models/${repository}/tree/main?recursive=true`)
  if (!Array.isArray(json)) throw new HubFailed('The model hub did not answer with a list of files')
  const files = json.flatMap((value: unknown) => readFile(value) ?? [])
  const models = new Map<string, Listed>()
  for (const { path, sizeBytes } of files) {
    const stem = path.replace(splitSuffix, '')
    const known = models.get(stem)
    if (known !== undefined)
      models.set(stem, { ...known, parts: known.parts + 1, sizeBytes: known.sizeBytes + sizeBytes })
    else models.set(stem, describe(repository, path, sizeBytes))
  }
  const known = [...models.values()].flatMap((file) => withAddress(file, access.hubUrl) ?? [])
  return known.toSorted((a, b) => a.sizeBytes - b.sizeBytes).slice(0, maxFiles)
}

type Listed = Omit<HubFile, 'from' | 'name'>

/** Null if it could not be pulled, for example because of its name. */
const withAddress = (file: Listed, hubUrl: string): HubFile | null => {
  try {
    const { files, name } = readModelSource(file.source, hubUrl)
    return { ...file, from: shownAddress(files[0]?.url.href ?? ''), name }
  } catch (error) {
    if (error instanceof OperatorError) return null
    throw error
  }
}

const describe = (repository: string, path: string, sizeBytes: number): Listed => {
  const first = path.replace(
    splitSuffix,
    (_, part: string, total: string) => `-${'1'.padStart(part.length, '0')}-of-${total}.gguf`,
  )
  const fileName = first.split('/').at(-1) ?? first
  return {
    source: `hf:${repository}/${first}`,
    fileName,
    parts: 1,
    sizeBytes,
    quantisation: readQuantisation(fileName),
  }
}

const readFile = (value: unknown): { path: string; sizeBytes: number } | null => {
  if (!isRecord(value) || value.type !== 'file') return null
  const { path, lfs } = value
  const size = isRecord(lfs) ? lfs.size : value.size
  if (typeof path !== 'string' || path.length > 300 || !/\.gguf$/i.test(path) || /mmproj|imatrix/i.test(path))
    return null
  return typeof size === 'number' && Number.isSafeInteger(size) && size > 0 ? { path, sizeBytes: size } : null
}

/** The last such word counts: names of models may have one too. */
export const readQuantisation = (fileName: string): string | null => {
  const words = fileName.matchAll(
    /(?<=^|[-._])(I?Q\d(?:_[A-Z0-9]+)*|TQ\d_\d|BF16|F16|F32|FP16|MXFP4(?:_MOE)?)(?=[-.])/gi,
  )
  return [...words].at(-1)?.[1]?.toUpperCase() ?? null
}
