import { readFileSync } from 'node:fs'

type TlsOptions = { tls: true; ca?: Buffer; cert?: Buffer; key?: Buffer }

/**
 * The certificates that a `rediss://` URL names, with the parameters that PostgreSQL has too: `sslrootcert`, by which the
 * server is verified instead of by the usual authorities, and `sslcert` with `sslkey`, which the server may ask for. Null for
 * `redis://`. Throws if a file cannot be read.
 */
export const readTlsOptions = (address: string): TlsOptions | null => {
  const { protocol, searchParams } = new URL(address)
  if (protocol !== 'rediss:') return null
  const read = (name: string): Buffer | null => {
    const path = searchParams.get(name)
    return path === null ? null : readFileSync(path)
  }
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')]
  return {
    tls: true,
    ...(ca === null ? {} : { ca }),
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
  }
}
