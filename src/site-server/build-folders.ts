import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { indexName } from './built-site.ts'

/**
 * Each build has a folder named after the digest of its sources. A new one is created under a temporary name and moved into
 * place once complete, so a reader finds all of it or nothing, even if several servers start at once.
 */
const buildsFolder = (root: string): string => join(root, 'dist', 'site')

export const findBuild = (root: string, digest: string): string | null => {
  const folder = join(buildsFolder(root), digest)
  return existsSync(join(folder, indexName)) ? folder : null
}

/** The latest build, whatever its sources, for installations that cannot build. */
export const findAnyBuild = async (root: string): Promise<string | null> => {
  const names = await readdir(buildsFolder(root)).catch((): string[] => [])
  const built: { folder: string; createdMs: number }[] = []
  for (const name of names.filter((each) => !each.startsWith('.'))) {
    const folder = join(buildsFolder(root), name)
    const index = await stat(join(folder, indexName)).catch(() => null)
    if (index !== null) built.push({ folder, createdMs: index.mtimeMs })
  }
  return built.sort((a, b) => b.createdMs - a.createdMs)[0]?.folder ?? null
}

export const createDraft = async (root: string): Promise<string> => {
  const draft = join(buildsFolder(root), `.draft-${process.pid}-${Math.random().toString(36).slice(2, 8)}`)
  await mkdir(draft, { recursive: true })
  return draft
}

/** If two servers created the same build, the first stays. */
export const publishDraft = async (root: string, draft: string, digest: string): Promise<void> => {
  try {
    await rename(draft, join(buildsFolder(root), digest))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (findBuild(root, digest) === null) throw error
  }
}

/** Older drafts than this are abandoned. */
const forgottenMs = 60 * 60 * 1000

/**
 * Running servers have their build in memory, so older builds can be deleted at once. Ages are told by the clock of the
 * file system, which has just noted a change of this folder: ours may differ from it, and another server may be building.
 */
export const removeOldBuilds = async (root: string, digest: string): Promise<void> => {
  const builds = buildsFolder(root)
  const nowMs = (await stat(builds)).mtimeMs
  for (const name of await readdir(builds)) {
    const folder = join(builds, name)
    const createdMs = (await stat(folder).catch(() => null))?.mtimeMs ?? nowMs
    const isDraft = name.startsWith('.')
    if (isDraft ? nowMs - createdMs > forgottenMs : name !== digest) await rm(folder, { recursive: true, force: true })
  }
}
