import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../base/clock.ts'
import { loadCertificate, watchCertificate } from './certificate.ts'
import type { CertificatePair } from './pair.ts'
import { createSelfSigned, type SelfSigned } from './self-signed.ts'

const newPair = () => createSelfSigned({ now: Date.now() })
const readFingerprint = ({ certPem }: SelfSigned) => new X509Certificate(certPem).fingerprint256

const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'helix-watch-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** As tools do it: beside the old file, then over it. */
const replace = (path: string, content: string): void => {
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

/** A clock whose timers only run by hand. */
const stoppedClock = () => {
  const timers = new Map<() => void, number>()
  const clock: Clock = {
    ...systemClock,
    after(delayMs, callback) {
      timers.set(callback, delayMs)
      return () => timers.delete(callback)
    },
  }
  const fire = (delayMs: number): void => {
    for (const [callback, delay] of timers) {
      if (delay === delayMs && timers.delete(callback)) callback()
    }
  }
  return { clock, timers, fire }
}

/** Values handed to a callback, to be awaited one after the other. */
const inbox = <Value>() => {
  const received: Value[] = []
  let wake = Promise.withResolvers<void>()
  return {
    received,
    put: (value: Value): void => {
      received.push(value)
      wake.resolve()
      wake = Promise.withResolvers<void>()
    },
    async count(count: number): Promise<Value[]> {
      while (received.length < count) await wake.promise
      return received
    },
  }
}

const startWatch = async ({ pair = newPair(), clock = systemClock, directory = newDirectory() } = {}) => {
  const paths = { certPath: join(directory, 'tls.crt'), keyPath: join(directory, 'tls.key') }
  replace(paths.certPath, pair.certPem)
  replace(paths.keyPath, pair.keyPem)
  const current = await loadCertificate({ ...paths, now: clock.now() })
  const changes = inbox<CertificatePair>()
  const breaks = inbox<Error>()
  const watch = watchCertificate({ ...paths, clock, current, onChange: changes.put, onBroken: breaks.put })
  onTestFinished(() => watch.close())
  await watch.check()
  const swap = ({ certPem, keyPem }: SelfSigned): void => {
    replace(paths.certPath, certPem)
    replace(paths.keyPath, keyPem)
  }
  return { ...paths, watch, changes, breaks, swap, current, pair }
}

const startServer = async ({ cert, key }: CertificatePair) => {
  const server = createServer({ cert, key }, (_, response) => response.end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const shown = async (): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }
  return { server, port, shown }
}

describe('a running server', () => {
  test('uses a new pair for the next connection and keeps existing connections', async () => {
    const { watch, changes, swap, current, pair } = await startWatch()
    const { server, port, shown } = await startServer(current)
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    onTestFinished(() => agent.destroy())
    const ask = async () => {
      const asked = request({ port, host: '127.0.0.1', agent }).end()
      const [response] = await once(asked, 'response')
      response.resume()
      await once(response, 'end')
      return { status: response.statusCode, reused: asked.reusedSocket }
    }
    expect(await ask()).toEqual({ status: 200, reused: false })
    expect(await shown()).toBe(readFingerprint(pair))

    const next = newPair()
    swap(next)
    const changed = (await changes.count(1)).at(-1)
    if (changed === undefined) throw new Error('no change was seen')
    server.setSecureContext(changed)
    expect(changed.fingerprint).toBe(readFingerprint(next))
    expect(await shown()).toBe(readFingerprint(next))
    expect(await ask()).toEqual({ status: 200, reused: true })
    watch.close()
  })

  test('keeps the old pair while the new one is unusable, and uses it once repaired', async () => {
    const { certPath, breaks, changes, swap, current, pair } = await startWatch()
    const { server, shown } = await startServer(current)
    replace(certPath, 'half a fi')
    const [error] = await breaks.count(1)
    expect(error?.message).toBe(`HELIX_TLS_CERT: ${certPath} is not a PEM certificate`)
    expect(await shown()).toBe(readFingerprint(pair))
    expect(changes.received).toEqual([])

    const repaired = newPair()
    swap(repaired)
    const [changed] = await changes.count(1)
    if (changed !== undefined) server.setSecureContext(changed)
    expect(await shown()).toBe(readFingerprint(repaired))
  })
})

describe('file events', () => {
  test('a swapped link beside the files, as in Kubernetes, is noticed', async () => {
    const directory = newDirectory()
    const publish = (version: string, { certPem, keyPem }: SelfSigned): void => {
      mkdirSync(join(directory, version))
      writeFileSync(join(directory, version, 'tls.crt'), certPem)
      writeFileSync(join(directory, version, 'tls.key'), keyPem)
      symlinkSync(version, join(directory, '..data.new'))
      renameSync(join(directory, '..data.new'), join(directory, '..data'))
    }
    publish('..1', newPair())
    const paths = { certPath: join(directory, 'tls.crt'), keyPath: join(directory, 'tls.key') }
    symlinkSync('..data/tls.crt', paths.certPath)
    symlinkSync('..data/tls.key', paths.keyPath)
    const current = await loadCertificate({ ...paths, now: Date.now() })
    const changes = inbox<CertificatePair>()
    // A read that falls between two swaps may see one file of each; the next read repairs it.
    const onBroken = () => {}
    const watch = watchCertificate({ ...paths, clock: systemClock, current, onChange: changes.put, onBroken })
    onTestFinished(() => watch.close())
    await watch.check()

    for (const version of [2, 3]) {
      const next = newPair()
      publish(`..${version}`, next)
      rmSync(join(directory, `..${version - 1}`), { recursive: true })
      expect((await changes.count(version - 1)).at(-1)?.fingerprint).toBe(readFingerprint(next))
    }
  })

  test('a change behind a link into another directory is noticed', async () => {
    const [behind, directory] = [newDirectory(), newDirectory()]
    const files = await startWatch({ directory: behind })
    files.watch.close()
    const paths = { certPath: join(directory, 'a.crt'), keyPath: join(directory, 'a.key') }
    symlinkSync(files.certPath, paths.certPath)
    symlinkSync(files.keyPath, paths.keyPath)
    const changes = inbox<CertificatePair>()
    const { clock, current } = { clock: systemClock, current: files.current }
    const watch = watchCertificate({ ...paths, clock, current, onChange: changes.put, onBroken: () => {} })
    onTestFinished(() => watch.close())
    await watch.check()
    const next = newPair()
    files.swap(next)
    expect((await changes.count(1))[0]?.fingerprint).toBe(readFingerprint(next))
  })
})

describe('without file events', () => {
  test('the slow poll finds the change', async () => {
    const { clock, fire } = stoppedClock()
    const { swap, changes } = await startWatch({ clock })
    const next = newPair()
    swap(next)
    expect(changes.received).toEqual([])
    fire(60_000)
    expect((await changes.count(1))[0]?.fingerprint).toBe(readFingerprint(next))
  })

  test('a pair that changed between loading and watching is found immediately', async () => {
    const { clock } = stoppedClock()
    const { certPath, keyPath, swap, watch, current } = await startWatch({ clock })
    watch.close()
    const next = newPair()
    swap(next)
    const changes = inbox<CertificatePair>()
    const late = watchCertificate({ certPath, keyPath, clock, current, onChange: changes.put, onBroken: () => {} })
    onTestFinished(() => late.close())
    expect((await changes.count(1))[0]?.fingerprint).toBe(readFingerprint(next))
  })
})

describe('check', () => {
  test('reports nothing if the files contain what is served, however they were written', async () => {
    const { watch, changes, breaks, swap, pair } = await startWatch(stoppedClock())
    swap(pair)
    await watch.check()
    expect([changes.received, breaks.received]).toEqual([[], []])
  })

  test('reports each unusable content once, and again after a repair', async () => {
    const { watch, changes, breaks, certPath, keyPath, swap, pair } = await startWatch(stoppedClock())
    const steps: (() => void)[] = [
      () => replace(keyPath, newPair().keyPem),
      () => {},
      () => rmSync(certPath),
      () => {},
      () => swap(pair),
      () => rmSync(certPath),
    ]
    for (const step of steps) {
      step()
      await watch.check()
    }
    expect(breaks.received.map(({ message }) => message)).toEqual([
      `HELIX_TLS_KEY: the key in ${keyPath} does not match the certificate in ${certPath}`,
      `HELIX_TLS_CERT: cannot read ${certPath} (no such file)`,
      `HELIX_TLS_CERT: cannot read ${certPath} (no such file)`,
    ])
    expect(changes.received).toEqual([])
  })

  test('reports a pair that the server cannot use, and does not count it as served', async () => {
    const { certPath, keyPath, swap, current } = await startWatch(stoppedClock())
    const breaks = inbox<Error>()
    const onChange = () => {
      throw new Error('not today')
    }
    const { clock } = stoppedClock()
    const watch = watchCertificate({ certPath, keyPath, clock, current, onChange, onBroken: breaks.put })
    onTestFinished(() => watch.close())
    swap(newPair())
    await watch.check()
    expect((await breaks.count(1)).map(({ message }) => message)).toEqual(['not today'])
  })

  test('does nothing after close, and leaves no timer behind', async () => {
    const { clock, timers } = stoppedClock()
    const { watch, changes, swap } = await startWatch({ clock })
    swap(newPair())
    const running = watch.check()
    watch.close()
    await running
    await watch.check()
    expect(changes.received).toEqual([])
    expect(timers.size).toBe(0)
  })
})
