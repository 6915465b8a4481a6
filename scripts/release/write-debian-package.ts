import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeArchive } from './write-archive.ts'

type PackageOptions = {
  root: string
  /** The tree of a release. It is moved into the package. */
  folder: string
  /** A folder on the same disk that does not exist yet. It is left behind. */
  scratch: string
  target: string
  version: string
  /** Debian's name of the processor. */
  debian: string
  /** Of every file, in seconds since 1970. */
  modifiedAt: number
}

/**
 * The release as a package of Debian: an `ar` archive with the version of the format, the control files and the tree. Written
 * without dpkg, whose compressors differ between versions: the bytes depend on the tree and the pinned Node only. Returns its SHA-256.
 */
export const writeDebianPackage = async (options: PackageOptions): Promise<string> => {
  const { scratch, target, modifiedAt } = options
  const [control, data] = [join(scratch, 'control'), join(scratch, 'data')]
  stageData(options, data)
  stageControl(options, control)
  const members = [join(scratch, 'debian-binary'), join(scratch, 'control.tar.gz'), join(scratch, 'data.tar.gz')]
  const [format = '', controlArchive = '', dataArchive = ''] = members
  writeFileSync(format, '2.0\n')
  await writeArchive({ folder: control, target: controlArchive, modifiedAt, contentsOnly: true })
  await writeArchive({ folder: data, target: dataArchive, modifiedAt, contentsOnly: true })
  const digest = createHash('sha256')
  await pipeline(
    joinMembers(members, modifiedAt),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        digest.update(chunk)
        yield chunk
      }
    },
    createWriteStream(target),
  )
  return digest.digest('hex')
}

/** A version before a release (`0.2.0-dev`) sorts before it only if Debian's `~` precedes its name. */
export const debianVersion = (version: string): string => version.replace('-', '~')

const stageData = ({ root, folder }: PackageOptions, data: string): void => {
  for (const path of ['opt', 'etc/helix', 'usr/bin', 'usr/lib/systemd/system', 'usr/share/doc/helix'])
    mkdirSync(join(data, path), { recursive: true })
  cpSync(join(root, 'deploy/debian/helix.config.json'), join(data, 'etc/helix/helix.config.json'))
  cpSync(join(root, 'deploy/helix.service'), join(data, 'usr/lib/systemd/system/helix.service'))
  cpSync(join(folder, 'LICENSE'), join(data, 'usr/share/doc/helix/copyright'))
  symlinkSync('/opt/helix/helix', join(data, 'usr/bin/helix'))
  renameSync(folder, join(data, 'opt/helix'))
}

const stageControl = ({ root, version, debian }: PackageOptions, control: string): void => {
  mkdirSync(control)
  const fields = {
    Package: 'helix',
    Version: debianVersion(version),
    Architecture: debian,
    Maintainer: 'Helix <helix@localhost>',
    Depends: 'libc6 (>= 2.34), passwd',
    Section: 'net',
    Priority: 'optional',
    Description:
      'chat-completions provider in a box\n The API, the site for accounts and keys, a model, limits and billing in one server.',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  writeFileSync(join(control, 'control'), lines.join(''))
  writeFileSync(join(control, 'conffiles'), '/etc/helix/helix.config.json\n')
  for (const script of ['postinst', 'prerm', 'postrm']) {
    cpSync(join(root, 'deploy/debian', script), join(control, script))
    chmodSync(join(control, script), 0o755)
  }
}

async function* joinMembers(files: readonly string[], modifiedAt: number): AsyncGenerator<Buffer> {
  yield Buffer.from('!<arch>\n')
  for (const file of files) {
    const { size } = statSync(file)
    const columns = [
      [basename(file), 16],
      [String(modifiedAt), 12],
      ['0', 6],
      ['0', 6],
      ['100644', 8],
      [String(size), 10],
    ] as const
    yield Buffer.from(`${columns.map(([text, width]) => text.padEnd(width)).join('')}\`\n`)
    yield* createReadStream(file)
    if (size % 2 === 1) yield Buffer.from('\n')
  }
}
