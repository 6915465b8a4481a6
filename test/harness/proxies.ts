import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endsWithFile } from './ends-with-file.ts'
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

/** A port that nobody uses at the moment. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** With the settings that docs/operating.md recommends; checks are more frequent. Returns its address. */
export const startProxy = async (name: ProxyName, program: string, ports: readonly number[]): Promise<string> => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'helix-proxy-'))
  const file = join(folder, 'settings')
  writeFileSync(file, settingsOf[name](port, ports, folder))
  const args = { haproxy: ['-db', '-f', file], nginx: ['-c', file, '-p', folder, '-e', join(folder, 'error.log')] }
  const child = spawn(program, args[name], { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  endsWithFile(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url)) && child.exitCode === null);
  return url
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`)).ok
  } catch {
    return false
  }
}

const settingsOf: Record<ProxyName, (port: number, ports: readonly number[], folder: string) => string> = {
  haproxy: (port, ports) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 10s
  retries 3
  option redispatch
  option httpchk GET /readyz
frontend site
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
${ports.map((one) => `  server node-${one} 127.0.0.1:${one} check inter 200ms fall 2 rise 1`).join('\n')}
`,
  nginx: (port, ports, folder) => `
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
  upstream nodes {
${ports.map((one) => `    server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join('\n')}
    keepalive 32;
    keepalive_timeout 1s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`,
}
