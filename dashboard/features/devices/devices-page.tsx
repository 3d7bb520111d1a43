import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { DEVICE_SORTS, type DeviceWire } from '../../../src/contract/device.ts'
import { codeTexts } from '../../codes.ts'
import { deviceName, formatReleaseDate } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { useOperation } from '../../queries.ts'
import { pickParams, useFilters } from '../../search-params.ts'
import { useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { DevicePicture } from '../../ui/device-picture.tsx'
import { FilterSelect, SearchField } from '../../ui/field.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { handToCheckPage, looksLikeIdentifier } from '../lookups/identifier-check.ts'

/** Shorter pages on phones. */
const PAGE_SIZE = matchMedia('(max-width: 44rem)').matches ? '12' : '24'
const TYPING_PAUSE_MS = 120
const DEVICE_STATUSES: readonly string[] = ['active', 'discontinued'] satisfies DeviceWire['status'][]

export function DevicesPage() {
  const { t } = useTranslation('devices')
  const [query, change] = useFilters()
  const categories = useOperation('GET /api/meta/categories', {}).data?.data ?? []
  const makes = useOperation('GET /api/meta/makes', {}).data?.data ?? []
  const listParams = pickParams(query, ['search', 'category', 'make', 'status', 'page'])
  listParams.set('limit', PAGE_SIZE)
  const sort = DEVICE_SORTS.find((known) => known === query.get('sort'))
  if (sort) listParams.set('sort', sort)
  const devices = useOperation('GET /api/devices', { query: Object.fromEntries(listParams) })
  const meta = devices.data?.meta
  const usedPrices = useUsedPrices(devices.data?.data ?? [])
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="filters">
        <SearchBox />
        <Filter param="category" options={categories.map(({ name }) => name)} />
        <Filter param="make" options={makes.map(({ name }) => name)} />
        <Filter param="status" options={DEVICE_STATUSES} />
      </div>
      <div className="list-head">
        <p className="found" role="status">
          {meta ? t('found', { count: meta.total }) : ' '}
        </p>
        <SortSelect />
      </div>
      <QueryView query={devices} skeletonLines={8} empty={<EmptyState title={t('none')} hint={t('noneHint')} />}>
        {(list) => (
          <ul className="devices">
            {list.map((device) => (
              <DeviceTile key={device.id} device={device} usedCents={usedPrices.get(device.id) ?? null} />
            ))}
          </ul>
        )}
      </QueryView>
      {meta ? <Pagination meta={meta} onChange={change} /> : null}
    </>
  )
}

function SearchBox() {
  const { t } = useTranslation('devices')
  const [query, change] = useFilters()
  const [, navigate] = useLocation()
  const inAddress = query.get('search') ?? ''
  const [text, setText] = useState(inAddress)
  /** The last text this box put into the address: what was typed since then must stay. */
  const ownText = useRef(inAddress)
  useEffect(() => {
    if (inAddress === ownText.current) return
    ownText.current = inAddress
    setText(inAddress)
  }, [inAddress])
  const isIdentifier = looksLikeIdentifier(text)
  useEffect(() => {
    // Identifiers are personal data and must not appear in a URL.
    if (text === inAddress || isIdentifier) return
    const timer = setTimeout(() => {
      ownText.current = text
      change({ search: text, page: '' }, { replace: true })
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, inAddress, isIdentifier, change])
  const openCheck = () => {
    handToCheckPage(text)
    navigate('/dashboard/check')
  }
  return (
    <SearchField
      className="search"
      label={t('search.label')}
      placeholder={t('search.placeholder')}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onValueChange={setText}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && isIdentifier) openCheck()
      }}
    >
      {isIdentifier ? <Button onClick={openCheck}>{t('search.check')}</Button> : null}
    </SearchField>
  )
}

function Filter({ param, options }: { param: 'category' | 'make' | 'status'; options: readonly string[] }) {
  const { t } = useTranslation('devices')
  const [query] = useFilters()
  const chosen = query.get(param) ?? ''
  const choices = chosen && !options.includes(chosen) ? [chosen, ...options] : options
  const nameOf = (option: string) => {
    if (DEVICE_STATUSES.includes(option)) return t(`status.${option as 'active'}`)
    return param === 'category' ? codeTexts().category({ name: option }) : option
  }
  return (
    <FilterSelect
      param={param}
      label={t(`filter.${param}`)}
      all={t(`filterAll.${param}`)}
      options={choices.map((option) => [option, nameOf(option)] as const)}
    />
  )
}

function SortSelect() {
  const { t } = useTranslation('devices')
  const [query] = useFilters()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in FilterSelect
    <label className="sort">
      <span>{t('sort.label')}</span>
      <FilterSelect
        param="sort"
        all={t(query.get('search') ? 'sort.relevance' : 'sort.newest')}
        options={DEVICE_SORTS.map((sort) => [sort, t(`sort.${sort}`)] as const)}
      />
    </label>
  )
}

/** Used prices of the devices on the page; empty while loading or below the Paid tier. */
function useUsedPrices(devices: readonly DeviceWire[]): ReadonlyMap<string, number | null> {
  const mayPrice = useHasTier('paid')
  const ids = devices.map(({ id }) => id).join(',')
  const prices = useOperation('GET /api/pricing/lowest', mayPrice && ids ? { query: { device_ids: ids } } : null)
  return new Map(prices.data?.data.map(({ device_id: id, resale }) => [id, resale]))
}

function DeviceTile({ device, usedCents }: { device: DeviceWire; usedCents: number | null }) {
  const { t } = useTranslation('devices')
  const money = useMoney()
  const [cheapest] = device.variants
    .filter((variant) => variant.price_source === 'list')
    .sort((a, b) => a.price - b.price)
  return (
    <li className="device">
      <DevicePicture of={device.thumbnail} />
      <div>
        <Link to={`/dashboard/devices/${device.id}`} className="device-name">
          {deviceName(device)}
        </Link>
        <p className="muted">
          {device.make.name} · {codeTexts().category(device.category)}
        </p>
        <p className="muted">
          {formatReleaseDate(device.release_date, device.release_date_precision)} ·{' '}
          {t('variants', { count: device.variants.length })}
        </p>
        {usedCents === null ? null : (
          <p className="device-price">{t('tile.used', { price: money.formatWhole(money.fromUsCents(usedCents)) })}</p>
        )}
        {cheapest ? <p className="muted">{t('tile.new', { price: money.formatListPrice(cheapest) })}</p> : null}
      </div>
    </li>
  )
}
