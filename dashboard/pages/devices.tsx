import { useEffect, useState } from 'react'
import type { NamesWire } from '../../src/contract/account.ts'
import type { DeviceWire } from '../../src/contract/device.ts'
import { go, Link, useAddress, withQuery } from '../address.tsx'
import { useAsk } from '../ask.ts'
import { looksLikeIdentifier, takeToCheck } from '../identifier-check.ts'
import { Badge, Button, Empty, PageHead, Pages, Shown } from '../parts/basics.tsx'
import { CallPanel } from '../parts/code.tsx'
import { Picture } from '../parts/picture.tsx'
import { money, plural, released } from '../words.ts'

const PAGE_SIZE = '24'
const TYPING_PAUSE_MS = 120

export function DevicesPage() {
  const { query } = useAddress()
  const names = useAsk<NamesWire>('/account/names')
  const asked = new URLSearchParams({ limit: PAGE_SIZE })
  for (const name of ['search', 'category', 'make', 'status', 'page']) {
    const value = query.get(name)
    if (value) asked.set(name, value)
  }
  const path = `devices?${asked}`
  const devices = useAsk<DeviceWire[]>(`/account/explore/${path}`)
  const meta = devices.answer?.meta
  return (
    <>
      <PageHead
        title="Devices"
        lead="Everything in the registry. Search by name, maker, model number, part number or SKU."
      />
      <div className="filters">
        <SearchBox />
        <Filter label="Category" name="category" options={names.answer?.data.categories ?? []} />
        <Filter label="Maker" name="make" options={names.answer?.data.makes ?? []} />
        <Filter label="Status" name="status" options={['active', 'discontinued']} />
      </div>
      <p className="found" role="status">
        {meta ? plural(meta.total, 'device') : ' '}
      </p>
      <Shown asked={devices} lines={8}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No device matches">
              <p>Try fewer words or another filter.</p>
            </Empty>
          ) : (
            <ul className="devices">
              {list.map((device) => (
                <DeviceTile key={device.id} device={device} />
              ))}
            </ul>
          )
        }
      </Shown>
      {meta ? <Pages meta={meta} to={(page) => go(withQuery(query, { page: String(page) }))} /> : null}
      <CallPanel path={path} answer={devices.answer?.text} />
    </>
  )
}

function SearchBox() {
  const { query } = useAddress()
  const inAddress = query.get('search') ?? ''
  const [text, setText] = useState(inAddress)
  useEffect(() => setText(inAddress), [inAddress])
  const isIdentifier = looksLikeIdentifier(text)
  useEffect(() => {
    // An identifier is personal data and never stands in an address.
    if (text === inAddress || isIdentifier) return
    const timer = setTimeout(() => {
      go(withQuery(new URLSearchParams(location.search), { search: text, page: '' }), 'replace')
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, inAddress, isIdentifier])
  return (
    <label className="search">
      <span className="unseen">Search devices</span>
      <input
        type="search"
        placeholder="Search, for example “galaxy s23” or “A2482”"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {isIdentifier ? (
        <Button
          onClick={() => {
            takeToCheck(text)
            go('/dashboard/check')
          }}
        >
          Check this identifier
        </Button>
      ) : null}
    </label>
  )
}

function Filter({ label, name, options }: { label: string; name: string; options: readonly string[] }) {
  const { query } = useAddress()
  const chosen = query.get(name) ?? ''
  const all = chosen && !options.includes(chosen) ? [chosen, ...options] : options
  return (
    <label>
      <span className="unseen">{label}</span>
      <select
        value={chosen}
        onChange={(event) => go(withQuery(query, { [name]: event.target.value, page: '' }), 'replace')}
      >
        <option value="">{label}: all</option>
        {all.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  )
}

function DeviceTile({ device }: { device: DeviceWire }) {
  const prices = device.variants.filter((variant) => !variant.disabled).map((variant) => variant.price)
  return (
    <li className="device">
      <Picture of={device.thumbnail} />
      <div>
        <Link to={`/dashboard/devices/${device.id}`} className="device-name">
          {device.name}
        </Link>
        <p className="soft">
          {device.make.name} · {device.category.name}
        </p>
        <p className="soft">
          {released(device.release_date, device.release_date_precision)} · {plural(device.variants.length, 'variant')}
        </p>
        <p>
          {prices.length > 0 ? `from ${money(Math.min(...prices))} new` : 'list price unknown'}{' '}
          {device.status === 'active' ? <Badge tone="good">active</Badge> : null}
        </p>
      </div>
    </li>
  )
}
