import { isLoopback } from '../base/is-loopback.ts'
import type { Config } from './settings.ts'

/** What somebody with a proxy on the same machine has to know; null if the settings leave nothing to say. */
export const warnOfProxies = ({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): string | null =>
  publicUrl !== null || !isLoopback(host)
    ? null
    : 'HELIX_PUBLIC_URL is not set, so pages open only under names of this machine such as localhost: a proxy on this machine needs it'
