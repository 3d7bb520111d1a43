import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { CatalogueFiltersWire, LowestUsedPricesWire } from '../../../src/contract/dashboard.ts'
import type { DeviceWire } from '../../../src/contract/device.ts'
import { formatReleaseDate, pluralize } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { useApiQuery } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { DevicePicture } from '../../ui/device-picture.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { handToCheckPage, looksLikeIdentifier } from '../lookups/identifier-check.ts'

/** Shorter pages on phones. */
const PAGE_SIZE = matchMedia('(max-width: 44rem)').matches ? '12' : '24'
const TYPING_PAUSE_MS = 120

export function DevicesPage() {
  const [query, change] = useFilters()
  const names = useApiQuery<CatalogueFiltersWire>('/account/names')
  const listParams = new URLSearchParams({ limit: PAGE_SIZE })
  for (const name of ['search', 'category', 'make', 'status', 'page']) {
    const value = query.get(name)
    if (value) listParams.set(name, value)
  }
  const path = `devices?${listParams}`
  const devices = useApiQuery<DeviceWire[]>(`/account/explore/${path}`)
  const meta = devices.data?.meta
  const usedPrices = useUsedPrices(devices.data?.data ?? [])
  return (
    <>
      <PageHeader
        title="Devices"
        lead="Search by name, make, model number, part number, SKU or listing title. Used prices are for grade Good."
      />
      <div className="filters">
        <SearchBox />
        <Filter label="Category" name="category" options={names.data?.data.categories ?? []} />
        <Filter label="Make" name="make" options={names.data?.data.makes ?? []} />
        <Filter label="Status" name="status" options={['active', 'discontinued']} />
      </div>
      <p className="found" role="status">
        {meta ? pluralize(meta.total, 'device') : ' '}
      </p>
      <QueryView query={devices} skeletonLines={8}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No devices match">
              <p>Try fewer words or another filter.</p>
            </EmptyState>
          ) : (
            <ul className="devices">
              {list.map((device) => (
                <DeviceTile key={device.id} device={device} usedCents={usedPrices[device.id] ?? null} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {meta ? <Pagination meta={meta} onChange={change} /> : null}
      <ApiCallPanel path={path} answer={devices.data?.rawBody} />
    </>
  )
}

function SearchBox() {
  const [query, change] = useFilters()
  const [, navigate] = useLocation()
  const inAddress = query.get('search') ?? ''
  const [text, setText] = useState(inAddress)
  useEffect(() => setText(inAddress), [inAddress])
  const isIdentifier = looksLikeIdentifier(text)
  useEffect(() => {
    // Identifiers are personal data and must not appear in a URL.
    if (text === inAddress || isIdentifier) return
    const timer = setTimeout(() => {
      change({ search: text, page: '' }, { replace: true })
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, inAddress, isIdentifier, change])
  return (
    <label className="search">
      <span className="visually-hidden">Search devices</span>
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
            handToCheckPage(text)
            navigate('/dashboard/check')
          }}
        >
          Check this identifier
        </Button>
      ) : null}
    </label>
  )
}

function Filter({ label, name, options }: { label: string; name: string; options: readonly string[] }) {
  const [query, change] = useFilters()
  const chosen = query.get(name) ?? ''
  const all = chosen && !options.includes(chosen) ? [chosen, ...options] : options
  return (
    <label>
      <span className="visually-hidden">{label}</span>
      <select value={chosen} onChange={(event) => change({ [name]: event.target.value, page: '' }, { replace: true })}>
        <option value="">{label}: all</option>
        {all.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  )
}

/** Used prices of the devices on the page; empty while loading or below the Paid tier. */
function useUsedPrices(devices: readonly DeviceWire[]): LowestUsedPricesWire {
  const mayPrice = useHasTier('paid')
  const ids = devices.map(({ id }) => `device_id=${encodeURIComponent(id)}`).join('&')
  return useApiQuery<LowestUsedPricesWire>(mayPrice && ids ? `/account/used-prices?${ids}` : null).data?.data ?? {}
}

function DeviceTile({ device, usedCents }: { device: DeviceWire; usedCents: number | null }) {
  const money = useMoney()
  const prices = device.variants.filter((variant) => variant.price_source === 'list').map((variant) => variant.price)
  return (
    <li className="device">
      <DevicePicture of={device.thumbnail} />
      <div>
        <Link to={`/dashboard/devices/${device.id}`} className="device-name">
          {device.name}
        </Link>
        <p className="muted">
          {device.make.name} · {device.category.name}
        </p>
        <p className="muted">
          {formatReleaseDate(device.release_date, device.release_date_precision)} ·{' '}
          {pluralize(device.variants.length, 'variant')}
        </p>
        <p>
          {usedCents === null ? null : (
            <>
              <strong>Used from {money.formatWhole(money.fromUsCents(usedCents))}</strong>{' '}
            </>
          )}
          <span className="muted">
            {prices.length > 0 ? `new from ${money.formatListPrice(Math.min(...prices))}` : 'list price unknown'}
          </span>{' '}
          {device.status === 'active' ? <Badge tone="good">active</Badge> : null}
        </p>
      </div>
    </li>
  )
}
