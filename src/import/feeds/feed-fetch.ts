/** Brings a feed's list here, whole or not at all. */
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FetchFailure, isWebPage, pauseBefore, redirected, statusFailure } from './feed-answer.ts'
import { type FeedSettings, isPath } from './feed-settings.ts'
import type { Validators } from './feed-turn.ts'

export type Fetched = Validators & {
  /** The file the list is in now. */
  readonly path: string
}

type Fetching = {
  /** What was said of the list that is in the store; null fetches it in any case. */
  readonly known: Validators | null
  /** Where a list from elsewhere is put. */
  readonly into: string
  readonly signal: AbortSignal
  readonly tell: (sentence: string) => void
}

const MOST_REDIRECTS = 5
const MOST_VALIDATOR_CHARS = 1000
const HEAD_BYTES = 512

/** The list, or `unchanged` where it is the one that is known. */
export async function fetchFeed(feed: FeedSettings, fetching: Fetching): Promise<Fetched | 'unchanged'> {
  if (isPath(feed.url)) return lookAtFile(feed, fetching.known)
  for (let retry = 0; ; ) {
    try {
      return await download(feed, fetching)
    } catch (error) {
      const failure = asFailure(error, feed, fetching.signal)
      if (!failure.retriable || ++retry > feed.retries || fetching.signal.aborted) throw failure
      const pauseMs = pauseBefore(retry, feed.retryPauseMs, failure.pauseMs)
      fetching.tell(
        `${failure.message} Trying again in ${(pauseMs / 1000).toFixed(1)} s (${retry} of ${feed.retries}).`,
      )
      await sleep(pauseMs, fetching.signal)
    }
  }
}

/** Size and time of change stand for what an address would say. */
async function lookAtFile(feed: FeedSettings, known: Validators | null): Promise<Fetched | 'unchanged'> {
  const found = await stat(feed.url).catch((cause) => {
    throw new FetchFailure(`The file of ${feed.name} cannot be read (${cause.code}).`, { cause })
  })
  if (!found.isFile()) throw new FetchFailure(`What ${feed.name} names is no file.`)
  if (found.size > feed.maxBytes) throw tooLarge(feed)
  const etag = `${found.size}-${found.mtimeMs}`
  return known?.etag === etag ? 'unchanged' : { path: feed.url, etag, lastModified: null }
}

async function download(feed: FeedSettings, { known, into, signal }: Fetching): Promise<Fetched | 'unchanged'> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(feed.timeoutMs)])
  const response = await ask(feed, known, deadline)
  const { status, headers } = response
  try {
    if (status === 304 && known) return 'unchanged'
    if (status !== 200) throw statusFailure(feed.name, status, headers.get('retry-after'))
    if (Number(headers.get('content-length') ?? 0) > feed.maxBytes) throw tooLarge(feed)
    await keep(feed, response, into)
    return { path: into, etag: validator(headers.get('etag')), lastModified: validator(headers.get('last-modified')) }
  } finally {
    if (response.body?.locked === false) await response.body.cancel().catch(() => {})
  }
}

async function ask(feed: FeedSettings, known: Validators | null, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: '*/*',
    'User-Agent': 'device-intelligence',
    ...feed.headers,
    // As it is: only then does its length tell whether it came whole.
    'Accept-Encoding': 'identity',
    ...(known?.etag ? { 'If-None-Match': known.etag } : {}),
    ...(known?.lastModified ? { 'If-Modified-Since': known.lastModified } : {}),
  }
  for (let url = feed.url, redirects = 0; ; redirects++) {
    const response = await fetch(url, { headers, redirect: 'manual', decompress: false, signal })
    if (![301, 302, 303, 307, 308].includes(response.status)) return response
    await response.body?.cancel().catch(() => {})
    if (redirects === MOST_REDIRECTS) throw new FetchFailure(`The address of ${feed.name} redirects in circles.`)
    url = redirected(feed.name, url, response.headers.get('location'))
  }
}

async function keep(feed: FeedSettings, response: Response, into: string): Promise<void> {
  await mkdir(dirname(into), { recursive: true, mode: 0o700 })
  // What a run that was killed left behind may be anybody's idea of a file.
  await rm(into, { force: true })
  const file = await open(into, 'wx', 0o600)
  try {
    let bytes = 0
    let head = ''
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > feed.maxBytes) throw tooLarge(feed)
      if (head.length < HEAD_BYTES) head += new TextDecoder().decode(chunk.subarray(0, HEAD_BYTES))
      await file.write(chunk)
    }
    const announced = response.headers.get('content-length')
    if (announced !== null && Number(announced) !== bytes) throw brokeOff(feed)
    if (isWebPage(response.headers.get('content-type'), head)) {
      throw new FetchFailure(`The address of ${feed.name} answered with a web page, not with a list.`)
    }
  } finally {
    await file.close()
  }
}

function asFailure(error: unknown, feed: FeedSettings, stop: AbortSignal): FetchFailure {
  if (error instanceof FetchFailure) return error
  if (stop.aborted) return new FetchFailure('Stopped; nothing was written.', { cause: error })
  const { name, code = '' } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') {
    return new FetchFailure(`The list of ${feed.name} did not come within ${feed.timeoutMs / 1000} s.`, {
      ...{ retriable: true, cause: error },
    })
  }
  if (['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EPERM'].includes(code)) {
    return new FetchFailure(`The list of ${feed.name} cannot be kept on the disk (${code}).`, { cause: error })
  }
  if (code === 'ECONNRESET') return brokeOff(feed, error)
  // The reason may hold the address, and with it a secret; it is not passed on.
  return new FetchFailure(`The address of ${feed.name} cannot be reached.`, { retriable: true, cause: error })
}

function tooLarge(feed: FeedSettings): FetchFailure {
  return new FetchFailure(`The list of ${feed.name} is larger than ${feed.maxBytes.toLocaleString('en')} bytes.`)
}

function brokeOff(feed: FeedSettings, cause?: unknown): FetchFailure {
  return new FetchFailure(`The list of ${feed.name} broke off before its end.`, { retriable: true, cause })
}

function validator(value: string | null): string | null {
  return value !== null && value !== '' && value.length <= MOST_VALIDATOR_CHARS ? value : null
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
