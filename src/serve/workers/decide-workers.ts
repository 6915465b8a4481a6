import type { UpstreamSet } from '../../upstreams/upstream-set.ts'
import type { ServeOptions } from '../serve-options.ts'

/** Where several threads can listen on one port, and connections are shared out among them. */
const canShare = ['linux', 'freebsd'].includes(process.platform)

/** How many workers a server that starts now has. */
export const decideWorkers = (
  { config, defaultWorkers, log }: Pick<ServeOptions, 'config' | 'defaultWorkers' | 'log'>,
  upstreams: Pick<UpstreamSet, 'list'> | null,
): number => {
  // Engine nodes are called by the main thread.
  const hasUpstreams = upstreams?.list().some(({ tls }) => tls === null) ?? false
  const wanted = config.workers ?? defaultWorkers?.(hasUpstreams) ?? 1
  if (wanted === 1 || canShare) return wanted
  if (config.workers !== null) log.warn('workers_unsupported', { reason: process.platform })
  return 1
}
