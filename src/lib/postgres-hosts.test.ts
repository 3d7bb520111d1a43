import { expect, test } from 'bun:test'
import { describeHosts } from './host-list.ts'
import { firstHost, parseHostList } from './postgres-hosts.ts'

test('one host is used as it is, without asking it', () => {
  const url = 'postgres://shop:p%40ss@db.example:6432/devices?sslmode=verify-full'
  expect(parseHostList(url)).toEqual({ urls: [url], isChecked: false })
})

test('each of several hosts has the same user, database and parameters', () => {
  const url =
    'postgres://shop:secret@db1.example:5432,db2.example,[::1]:5434/devices?target_session_attrs=read-write&sslmode=require'
  expect(parseHostList(url)).toEqual({
    urls: ['db1.example:5432', 'db2.example', '[::1]:5434'].map(
      (host) => `postgres://shop:secret@${host}/devices?sslmode=require`,
    ),
    isChecked: true,
  })
  expect(describeHosts(url)).toBe('db1.example:5432,db2.example,[::1]:5434')
  expect(firstHost(url).pathname).toBe('/devices')
})

test('one host can be asked too, wherever the parameter stands', () => {
  for (const query of [
    'target_session_attrs=read-write',
    'sslmode=require&target_session_attrs=primary',
    'target_session_attrs=read-write&sslmode=require',
  ]) {
    const list = parseHostList(`postgres://db/devices?${query}`)
    expect(list?.isChecked).toBe(true)
    expect(list?.urls[0]).not.toContain('target_session_attrs')
  }
})

test('a standby, an empty host and other texts are no address', () => {
  for (const url of [
    'postgres://db1,db2/devices?target_session_attrs=standby',
    'postgres://db1,,db2/devices',
    'postgres://db1:port,db2/devices',
    'mysql://db1,db2/devices',
    'db1,db2',
  ])
    expect(parseHostList(url)).toBeUndefined()
})
