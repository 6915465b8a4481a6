import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDebianPackage } from '../../scripts/release/read-debian-package.ts'
import { debianVersion, writeDebianPackage } from '../../scripts/release/write-debian-package.ts'
import { repository } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

const writePackage = async () => {
  const path = scratchPath()
  const folder = join(path, 'helix-1.2.3-linux-x64')
  mkdirSync(folder)
  writeFileSync(join(folder, 'LICENSE'), 'odd length')
  writeFileSync(join(folder, 'helix'), '#!/bin/sh\n', { mode: 0o700 })
  const target = join(path, 'helix.deb')
  const fields = { root: repository, scratch: join(path, 'scratch'), version: '1.2.3-dev', debian: 'amd64' }
  const digest = await writeDebianPackage({ ...fields, folder, target, modifiedAt: 1_700_000_000 })
  return { path, target, digest, content: readFileSync(target) }
}

test('a package has the tree, a command, a unit and its settings, owned by root', async () => {
  const { path, content } = await writePackage()
  expect(readDebianPackage(content, 'debian-binary').toString()).toBe('2.0\n')
  const list = (member: string): string[] => {
    const file = join(path, member)
    writeFileSync(file, readDebianPackage(content, member))
    return execFileSync('tar', ['-tvzf', file, '--utc'], { encoding: 'utf8' }).trim().split('\n')
  }
  const files = list('data.tar.gz').filter((line) => !line.startsWith('d'))
  expect(files.map((line) => line.replace(/ +/g, ' '))).toEqual([
    '-rw-r--r-- 0/0 34 2023-11-14 22:13 ./etc/helix/helix.config.json',
    '-rw-r--r-- 0/0 10 2023-11-14 22:13 ./opt/helix/LICENSE',
    '-rwxr-xr-x 0/0 10 2023-11-14 22:13 ./opt/helix/helix',
    'lrwxr-xr-x 0/0 0 2023-11-14 22:13 ./usr/bin/helix -> /opt/helix/helix',
    expect.stringContaining('./usr/lib/systemd/system/helix.service'),
    expect.stringContaining('./usr/share/doc/helix/copyright'),
  ])
  expect(list('control.tar.gz').map((line) => line.split('./')[1])).toEqual([
    '',
    'conffiles',
    'control',
    'postinst',
    'postrm',
    'prerm',
  ])
  execFileSync('tar', ['-xzf', join(path, 'control.tar.gz'), '-C', path])
  expect(readFileSync(join(path, 'control'), 'utf8')).toContain('\nVersion: 1.2.3~dev\nArchitecture: amd64\n')
})

test('two packages of the same tree have the same bytes', async () => {
  const [one, other] = [await writePackage(), await writePackage()]
  expect(one.content.equals(other.content)).toBe(true)
  expect(one.digest).toBe(other.digest)
})

test('a version before a release sorts before it', () => {
  expect(debianVersion('0.2.0-dev')).toBe('0.2.0~dev')
  expect(debianVersion('0.2.0')).toBe('0.2.0')
})
