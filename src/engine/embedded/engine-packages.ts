import { join, resolve } from 'node:path'

/** Where `helix gpu install` puts packages: in the data directory, so that `npm ci` in the program's folder keeps them. */
export const enginePackages = (dataDir: string): { folder: string; modules: string } => {
  const folder = join(resolve(dataDir), 'engine-packages')
  return { folder, modules: join(folder, 'node_modules') }
}
