import { createHash } from 'node:crypto'
import { startWebServer } from './file-server.ts'

type HubFiles = Readonly<Record<string, Readonly<Record<string, Buffer>>>>

/**
 * A model hub for one test, written from the published form of the hub's API: the search, the tree of a repository, and its files
 * with ranges and the SHA-256 as ETag.
 */
export const startModelHub = async (repositories: HubFiles) => {
  let heldAfter: number | null = null
  const { url, requests } = await startWebServer((response, headers, target) => {
    const { pathname, searchParams } = new URL(target, 'http://hub')
    const json = (value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    if (pathname === '/api/models') {
      const wanted = searchParams.get('search') ?? ''
      return void json(
        Object.keys(repositories)
          .filter((id) => id.includes(wanted))
          .map(listing),
      )
    }
    const [, api, owner, name] = /^\/(api\/models\/)?([^/]+)\/([^/]+)/.exec(pathname) ?? []
    const files = repositories[`${owner}/${name}`] ?? {}
    if (api !== undefined) return void json(Object.entries(files).map(([path, content]) => treeEntry(path, content)))
    const content = files[pathname.split('/resolve/main/')[1] ?? '']
    if (content === undefined) return void response.writeHead(404).end()
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    response.setHeader('etag', `"${digest(content)}"`).setHeader('content-length', content.length - from)
    if (from > 0) response.setHeader('content-range', `bytes ${from}-${content.length - 1}/${content.length}`)
    response.writeHead(from > 0 ? 206 : 200)
    if (heldAfter === null) response.end(content.subarray(from))
    else response.write(content.subarray(from, Math.max(from, heldAfter)))
  })
  return {
    url,
    requests,
    /** Downloads get this many bytes of their file, and no more; null: everything. */
    holdAfter(bytes: number | null) {
      heldAfter = bytes
    },
  }
}

const listing = (id: string) => ({
  ...{ _id: '0', id, modelId: id, likes: 12, downloads: 3456, private: false, gated: false },
  tags: ['gguf', 'text-generation', 'license:apache-2.0'],
})

const treeEntry = (path: string, content: Buffer) => ({
  ...{ type: 'file', oid: '0', size: content.length, path },
  lfs: { oid: digest(content), size: content.length, pointerSize: 134 },
})

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
