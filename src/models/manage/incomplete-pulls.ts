import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readJsonObject } from '../../engine/json-file.ts'
import { type ListedModel, modelsFolder, readModelList } from '../model-list-file.ts'
import { readModelSource } from '../pull/model-source.ts'
import { partPath, readPart } from '../pull/part-file.ts'

/** A download that an earlier process left. */
export type IncompletePull = {
  name: string
  /** The address of the first file. */
  from: string
  /** Of the file that was being downloaded. */
  receivedBytes: number
  totalBytes: number | null
  /** Which of the files of a split model, from 1 on. */
  file: number
  files: number
}

const maxFolders = 1000

/** Downloads that were begun and whose models are not in the list. None while the list cannot be read: any may be in it. */
export const findIncompletePulls = async (dataDir: string): Promise<IncompletePull[]> => {
  const folder = modelsFolder(dataDir)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const list = await readModelList(dataDir).catch(() => null)
  if (list === null) return []
  const listed = new Set(list.models.flatMap(usedFolders).map((name) => name.toLowerCase()))
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const names = folders.filter((name) => !listed.has(name.toLowerCase()))
  const found: IncompletePull[] = []
  for (const name of names.slice(0, maxFolders)) {
    const from = (await readJsonObject(join(folder, name, 'pull.json')).catch(() => null))?.from
    if (typeof from === 'string') found.push(await describe(join(folder, name), name, from))
  }
  return found
}

/** A model can be listed under another name than its folder's. Its path is a file, or the folder itself. */
const usedFolders = ({ name, path }: ListedModel): string[] => [name, basename(path), basename(dirname(path))]

const describe = async (folder: string, name: string, from: string): Promise<IncompletePull> => {
  const nothing = { name, from, receivedBytes: 0, totalBytes: null, file: 1, files: 1 }
  try {
    const { files } = readModelSource(from, '')
    for (const [index, { url, fileName }] of files.entries()) {
      const path = join(folder, fileName)
      const place = { file: index + 1, files: files.length }
      const part = await readPart(path, url.href)
      if (part !== null) return { ...nothing, ...place, receivedBytes: part.bytes, totalBytes: part.state.totalBytes }
      const kept = await stat(partPath(path)).catch(() => null)
      if (kept !== null) return { ...nothing, ...place }
    }
  } catch {
    // The file was written by another version; the download starts again.
  }
  return nothing
}
