import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signSums } from '../../scripts/release/sign-sums.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

const createKeys = () =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const keys = createKeys()

/** A folder with two files of a release, signed, and what a person with this key sees there. */
const createRelease = (signedBy = keys.privateKey) => {
  const folder = scratchPath()
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  const line = (name: string, text: string): string => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`
  write('helix-1.tar.gz', 'one')
  write('SHA256SUMS', line('helix-1.tar.gz', 'one') + line('helix_0.2.0~dev_amd64.deb', 'not downloaded'))
  const keyFile = join(scratchPath(), 'key.pem')
  writeFileSync(keyFile, keys.publicKey)
  signSums(folder, signedBy)
  const verify = () => runProgram(['verify-release', folder, '--public-key', keyFile])
  return { folder, keyFile, write, verify }
}

test('files that are as released are named', async () => {
  expect(await createRelease().verify()).toEqual({ code: 0, stdout: 'helix-1.tar.gz is as released.\n', stderr: '' })
})

test('files that the sums do not list are named as not checked', async () => {
  const release = createRelease()
  release.write('helix-1-fixed.tar.gz', 'from somebody else')
  mkdirSync(join(release.folder, 'install\u001b[2K'))
  expect(await release.verify()).toEqual({
    code: 0,
    stdout: 'helix-1.tar.gz is as released.\n',
    stderr: ['helix-1-fixed.tar.gz', 'install?[2K']
      .map((name) => `${name} was not checked: SHA256SUMS does not list it.\n`)
      .join(''),
  })
  for (let index = 0; index < 60; index += 1) release.write(`other-${index}`, '')
  expect((await release.verify()).stderr).toMatch(/\n12 more files were not checked either\.\n$/)
})

test('a file that was changed is an error', async () => {
  const release = createRelease()
  release.write('helix-1.tar.gz', 'two')
  const { code, stdout, stderr } = await release.verify()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/helix-1\.tar\.gz differs from what was released\n$/)
})

test('changed digests, and those that another key signed, are an error', async () => {
  const changed = createRelease()
  changed.write('SHA256SUMS', `${'0'.repeat(64)}  helix-1.tar.gz\n`)
  for (const release of [changed, createRelease(createKeys().privateKey)])
    expect(await release.verify()).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a signature of') })
})

test('without the key of the publisher nothing is checked', async () => {
  expect(await runProgram(['verify-release', scratchPath()])).toMatchObject({
    ...{ code: 2, stderr: "helix: 'helix verify-release' requires --public-key\n" },
  })
  const release = createRelease()
  writeFileSync(release.keyFile, 'no key')
  expect(await release.verify()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not an Ed25519 public key'),
  })
})
