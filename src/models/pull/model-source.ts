import { OperatorError } from '../../base/operator-error.ts'
import { proposeModelName } from '../propose-model-name.ts'

/** A file to download, and its name on this machine. */
export type SourceFile = { url: URL; fileName: string }
/** Where a model comes from: one file, or the parts of a split model. */
export type ModelSource = { files: readonly SourceFile[] /** Derived from the file's name. */; name: string }

const splitSuffix = /-(\d{5})-of-(\d{5})(?=\.gguf$)/
const partLimit = 1000

/** Reads `https://…/file.gguf` or `hf:owner/repository/file.gguf`, which stands for a file on the model hub. */
export const readModelSource = (source: string, hubUrl: string): ModelSource => {
  const url = source.startsWith('hf:') ? hubFile(source, hubUrl) : URL.parse(source)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OperatorError(`'${source}' is not an http:// or https:// URL, nor hf:OWNER/REPOSITORY/FILE`)
  if (url.username !== '' || url.password !== '')
    throw new OperatorError('URLs with a user name or password are not supported')
  url.hash = ''
  const fileName = readFileName(url)
  const [suffix, part, total] = splitSuffix.exec(fileName) ?? []
  const name = proposeModelName(fileName)
  if (suffix === undefined) return { files: [{ url, fileName }], name }
  if (Number(part) !== 1)
    throw new OperatorError(`${fileName} is not the first part of a split model: specify the first`)
  const parts = Number(total)
  if (parts < 1 || parts > partLimit) throw new OperatorError(`${fileName}: a model cannot have ${parts} parts`)
  return { files: Array.from({ length: parts }, (_, index) => sourcePart(url, fileName, suffix, index + 1)), name }
}

const hubFile = (source: string, hubUrl: string): URL | null => {
  const [owner = '', repository = '', ...path] = source.slice('hf:'.length).split('/')
  const words = [owner, repository, ...path]
  if (path.length === 0 || words.some((word) => word === '' || word === '.' || word === '..')) return null
  const [ownerPart, repositoryPart, ...pathParts] = words.map(encodeURIComponent)
  return URL.parse(`${hubUrl}/${ownerPart}/${repositoryPart}/resolve/main/${pathParts.join('/')}`)
}

const readFileName = (url: URL): string => {
  const last = url.pathname.split('/').at(-1) ?? ''
  const [, stem] = /^([\p{L}\p{N}][^/\\\p{C}]{0,200})\.gguf$/iu.exec(decoded(last).normalize('NFC')) ?? []
  if (stem === undefined) throw new OperatorError(`The URL must end with the name of a .gguf file, not '${last}'`)
  // The name becomes a path on this machine.
  return `${stem.replace(/[^\p{L}\p{N} ._+()-]/gu, '-')}.gguf`
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const sourcePart = (first: URL, fileName: string, suffix: string, part: number): SourceFile => {
  const number = `-${String(part).padStart(5, '0')}`
  const url = new URL(first)
  url.pathname = url.pathname.replace(suffix, number + suffix.slice(number.length))
  return { url, fileName: fileName.replace(suffix, number + suffix.slice(number.length)) }
}
