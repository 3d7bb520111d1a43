import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const NGINX = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin` })

/** The upstream and location of deploy/proxy/nginx.conf for these processes, over plain HTTP. */
export function shippedNginxConfiguration(folder: string, port: number, upstreamPorts: readonly number[]): string {
  const sample = readFileSync(join(import.meta.dir, '../../deploy/proxy/nginx.conf'), 'utf8')
  const upstream = /upstream device_intelligence \{[\s\S]*?\n\}/.exec(sample)?.[0]
  const location = / {2}location \/ \{[\s\S]*?\n {2}\}/.exec(sample)?.[0]
  const line = upstream && /^ {2}server 127\.0\.0\.1:3000.*$/m.exec(upstream)?.[0]
  if (!upstream || !location || !line) throw new Error('deploy/proxy/nginx.conf has another form than expected.')
  const servers = upstreamPorts.map((upstreamPort) => line.replace('3000', String(upstreamPort))).join('\n')
  return `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
    events { worker_connections 2048; }
    http {
      access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      ${upstream.replace(line, servers)}
      server { listen 127.0.0.1:${port}; client_max_body_size 16m;
        ${location}
      }
    }`
}
