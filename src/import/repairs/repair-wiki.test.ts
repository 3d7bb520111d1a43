import { expect, test } from 'bun:test'
import { parseRepairWiki } from './repair-wiki.ts'

const GUIDE = {
  guideid: 7,
  type: 'replacement',
  category: 'Example Phone 1',
  subject: 'Battery',
  title: 'Example Phone 1 Battery Replacement',
  difficulty: 'Moderate',
  time_required: '30 - 40 minutes',
  time_required_min: 1800,
  time_required_max: 2400,
  url: 'https://repairsite.example/Guide/7',
  modified_date: 1_700_000_000,
  tools: [
    { text: 'Example screwdriver', isoptional: false },
    { text: 'Magnifier', isoptional: true },
  ],
  parts: [{ text: 'Example Phone 1 Battery' }, { text: 'Battery Adhesive' }, { text: 'Foam pad' }],
  steps: [{ lines: [{ text_raw: 'never read' }] }],
}

test('a guide becomes a repair with its difficulty, minutes, parts, tools and address', () => {
  expect(parseRepairWiki(GUIDE)).toEqual([
    {
      kind: 'guide',
      id: '7',
      deviceName: 'Example Phone 1',
      repair: {
        kind: 'battery',
        name: null,
        difficulty: 'moderate',
        minutes: 35,
        parts: [
          { kind: 'battery', name: 'Example Phone 1 Battery', cost: null, availability: null },
          { kind: 'adhesive', name: 'Battery Adhesive', cost: null, availability: null },
          { kind: 'other', name: 'Foam pad', cost: null, availability: null },
        ],
        guideUrl: 'https://repairsite.example/Guide/7',
      },
      tools: ['Example screwdriver'],
      modifiedAt: 1_700_000_000_000,
    },
  ])
})

test('a category gives its score, its guides and its name to guides that have none', () => {
  const { category: _, ...nameless } = GUIDE
  const items = parseRepairWiki({ wiki_title: 'Example Phone 1', repairability_score: 6.5, guides: [nameless] })
  expect(items.map((item) => item.kind)).toEqual(['score', 'guide'])
  expect(items[0]).toMatchObject({ deviceName: 'Example Phone 1', value: 6 })
  expect(items[1]).toMatchObject({ deviceName: 'Example Phone 1' })
})

test('lists and pages of results are read item by item', () => {
  expect(parseRepairWiki([GUIDE, { ...GUIDE, guideid: 8 }])).toHaveLength(2)
  expect(parseRepairWiki({ results: [GUIDE] })).toHaveLength(1)
})

test('times are parsed from text if seconds are missing', () => {
  const { time_required_min: _, time_required_max: __, ...timeless } = GUIDE
  expect(parseRepairWiki({ ...timeless, time_required: '30 minutes - 1 hour' })[0]).toMatchObject({
    repair: { minutes: 45 },
  })
  expect(parseRepairWiki({ ...timeless, time_required: null })[0]).toMatchObject({ repair: { minutes: null } })
})

test.each([
  ['a teardown', { ...GUIDE, type: 'teardown' }, 'guide_not_a_repair'],
  ['a repair of an unknown kind', { ...GUIDE, subject: 'Flux thing', title: '' }, 'guide_unknown_part'],
  ['a guide without a subject', { ...GUIDE, category: '' }, 'guide_without_device'],
  ['an invalid guide', { ...GUIDE, tools: 'none' }, 'guide_invalid'],
  ['a number', 5, 'not_a_repair_wiki'],
  ['an object of another kind', { hello: 1 }, 'not_a_repair_wiki'],
] as const)('%s is skipped with its reason', (_, json, reason) => {
  expect(parseRepairWiki(json)).toMatchObject([{ kind: 'unread', reason }])
})

test('an invalid web address is dropped, the repair is kept', () => {
  for (const url of ['javascript:alert(1)', 'not an address', '']) {
    expect(parseRepairWiki({ ...GUIDE, url })[0]).toMatchObject({ kind: 'guide', repair: { guideUrl: null } })
  }
})
