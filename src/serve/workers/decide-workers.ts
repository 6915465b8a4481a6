import type { ServeOptions } from '../serve-options.ts'

/** Where several threads can listen on one port, and connections are shared out among them. */
const sharing: readonly NodeJS.Platform[] = ['linux', 'freebsd']

/** An engine node has certificates of its own. */
type Listed = { readonly tls: object | null }

/** How many workers a server that starts now has. Fewer than the setting says where threads cannot share a port. */
export const decideWorkers = (
  { config, defaultWorkers }: Pick<ServeOptions, 'config' | 'defaultWorkers'>,
  upstreams: { list(): readonly Listed[] } | null,
  platform = process.platform,
): number => {
  if (!sharing.includes(platform)) return 1
  // Engine nodes are called by the main thread.
  const hasUpstreams = upstreams?.list().some(({ tls }) => tls === null) ?? false
  return config.workers ?? defaultWorkers?.(hasUpstreams) ?? 1
}
