import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentedBlock } from './documented-block.ts'
import { endsWithFile } from './ends-with-file.ts'
import { freePort } from './free-port.ts'
import { installPackage } from './install-package.ts'

export type ProxyName = 'haproxy' | 'nginx'

/** The path of the program; null if there is none. As root, installs Debian's own. */
export const findProxy = async (name: ProxyName): Promise<string | null> => {
  const found = lookUp(name)
  if (found !== null) return found
  await installPackage(name)
  const installed = lookUp(name)
  if (installed === null && process.env.STORE_TESTS === 'required')
    throw new Error(`There is no ${name}, and STORE_TESTS=required says that there must be one.`)
  return installed
}

/** Debian's are not in the path of everybody. */
const lookUp = (name: ProxyName): string | null => {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
  return folders.map((folder) => join(folder, name)).find((program) => existsSync(program)) ?? null
}

type ProxyOptions = {
  /** A certificate and its key. Without it the proxy speaks plain HTTP. */
  tls?: { certPem: string; keyPem: string }
}

/** With the settings of docs/operate/reverse-proxies.md; checks are more frequent. Returns its address. */
export const startProxy = async (
  name: ProxyName,
  program: string,
  ports: readonly number[],
  { tls }: ProxyOptions = {},
): Promise<string> => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'helix-proxy-'))
  const file = join(folder, 'settings')
  writeFileSync(join(folder, 'chain.pem'), tls?.certPem ?? '')
  writeFileSync(join(folder, 'key.pem'), tls?.keyPem ?? '')
  writeFileSync(join(folder, 'site.pem'), `${tls?.certPem}${tls?.keyPem}`)
  const documented = documentedBlock('docs/operate/reverse-proxies.md', name).replaceAll('/etc/ssl/helix', folder)
  writeFileSync(file, adapt[name](tls === undefined ? withoutTls(documented) : documented, { port, ports, folder }))
  const args = { haproxy: ['-db', '-f', file], nginx: ['-c', file, '-p', folder, '-e', join(folder, 'error.log')] }
  const child = spawn(program, args[name], { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  endsWithFile(async () => {
    child.kill('SIGTERM')
    await exited
  })
  while (!(await accepts(port)) && child.exitCode === null);
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
}

const accepts = async (port: number): Promise<boolean> => {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const withoutTls = (settings: string): string =>
  settings.replace(/^ *(ssl_certificate|ssl-default).*\n/gm, '').replace(/ ssl( crt \S+ alpn \S+)?(;?)$/gm, '$2')

type Place = { port: number; ports: readonly number[]; folder: string }

/** The machine's own addresses and folders in the place of the documented ones. */
const adapt: Record<ProxyName, (settings: string, place: Place) => string> = {
  haproxy: (settings, { port, ports }) =>
    settings
      .replace('bind :443', `bind 127.0.0.1:${port}`)
      .replace(
        /(^ *server .*\n)+/m,
        ports.map((one) => `  server node-${one} 127.0.0.1:${one} check inter 200ms fall 2 rise 1\n`).join(''),
      ),
  nginx: (settings, { port, ports, folder }) => `
daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${settings
  .replace('listen 443', `listen 127.0.0.1:${port}`)
  .replace(
    /(^ *server \d.*\n)+/m,
    ports.map((one) => `  server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;\n`).join(''),
  )}}
`,
}
