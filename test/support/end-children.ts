/**
 * bunfig.toml loads this file before the tests: what a file's tests started ends after the hooks of that file, also when a
 * test failed.
 */
import { afterAll } from 'bun:test'
import { endChildren } from './children.ts'

afterAll(endChildren)
