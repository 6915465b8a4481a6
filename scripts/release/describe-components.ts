import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemPackages } from './copy-system-libraries.ts'
import type { ReleasePackage } from './list-packages.ts'

type SbomOptions = {
  root: string
  version: string
  commit: string
  /** Seconds since 1970. */
  modifiedAt: number
  /** Debian's name of the processor; null for what contains none of Debian's libraries. */
  debian: string | null
  packages: readonly ReleasePackage[]
  /** The archive without the model does not list it. Default: true. */
  hasModel?: boolean
}

/** The software bill of materials of one platform, in the format of CycloneDX 1.6. */
export const describeComponents = (options: SbomOptions): object => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    timestamp: new Date(options.modifiedAt * 1000).toISOString(),
    component: {
      ...{ 'bom-ref': 'helix', type: 'application', name: 'helix', version: options.version },
      licenses: [{ expression: 'Apache-2.0' }],
      properties: [{ name: 'helix:commit', value: options.commit }],
    },
  },
  components: [
    ...options.packages.map(npmComponent),
    ...(options.debian === null ? [] : systemPackages(options.debian)).map(debianComponent),
    ...(options.hasModel === false ? [] : [modelComponent(options.root)]),
  ],
})

const npmComponent = ({ name, version, license, integrity, path, isOfSite }: ReleasePackage): object => ({
  ...{ 'bom-ref': path, type: 'library', name, version },
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  licenses: [{ expression: license }],
  hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  properties: [{ name: 'helix:part', value: isOfSite ? 'site' : 'server' }],
})

const debianComponent = ({ file, sha256 }: { file: string; sha256: string }): object => {
  const [name = '', version = '', rest = ''] = file.split('_')
  const arch = rest.replace('.deb', '')
  return {
    ...{ 'bom-ref': file, type: 'library', name, version },
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${arch}&distro=bookworm`,
    licenses: [{ expression: 'GPL-3.0-or-later WITH GCC-exception-3.1' }],
    hashes: [{ alg: 'SHA-256', content: sha256 }],
  }
}

const modelComponent = (root: string): object => {
  const text = readFileSync(join(root, 'models/helix-v1/model.json'), 'utf8')
  const { name, licence }: { name: string; licence: string } = JSON.parse(text)
  return { 'bom-ref': `model/${name}`, type: 'machine-learning-model', name, licenses: [{ expression: licence }] }
}
