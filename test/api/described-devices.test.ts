import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { onSqlite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13'

/** Words behind "iPhone 13 128GB", and the defect that they state. */
const DEFECT_PHRASES: readonly (readonly [string, string])[] = [
  ['cracked screen', 'cracked_screen'],
  ['screen cracked', 'cracked_screen'],
  ['screen has a small crack', 'cracked_screen'],
  ['broken display', 'cracked_screen'],
  ['dead pixels', 'cracked_screen'],
  ['shattered', 'cracked_screen'],
  ['back glass broken', 'cracked_back'],
  ['cracked back', 'cracked_back'],
  ['bent', 'cracked_back'],
  ['battery 76 %', 'weak_battery'],
  ['battery health 71%', 'weak_battery'],
  ['weak battery', 'weak_battery'],
  ['battery needs replacing', 'weak_battery'],
  ['no face id', 'biometric_sensor'],
  ['Face ID not working', 'biometric_sensor'],
  ['water damage', 'water_damage'],
  ['for parts', 'no_power'],
  ["doesn't turn on", 'no_power'],
  ['won’t power on', 'no_power'],
  ['not working', 'no_power'],
  ['broken', 'no_power'],
  ['faulty', 'no_power'],
  ['spares or repair', 'no_power'],
  ['bootloop', 'no_power'],
  ['iCloud locked', 'activation_locked'],
  ['activation lock', 'activation_locked'],
  ['MDM locked', 'activation_locked'],
  ['camera not working', 'camera'],
  ['speaker broken', 'speaker_or_microphone'],
  ['does not charge', 'charging_port'],
  ['volume button stuck', 'buttons'],
  ['no charger', 'missing_accessories'],
  ['Display gesprungen', 'cracked_screen'],
  ['gesprungenes Display', 'cracked_screen'],
  ['Displayschaden', 'cracked_screen'],
  ['Rückseite kaputt', 'cracked_back'],
  ['Akku schwach', 'weak_battery'],
  ['Akku 74%', 'weak_battery'],
  ['geht nicht an', 'no_power'],
  ['lässt sich nicht einschalten', 'no_power'],
  ['Wasserschaden', 'water_damage'],
  ['für Bastler', 'no_power'],
  ['Bastlergerät', 'no_power'],
  ['kaputt', 'no_power'],
  ['defekt', 'no_power'],
  ['Face ID funktioniert nicht', 'biometric_sensor'],
  ['Kamera defekt', 'camera'],
  ['lädt nicht', 'charging_port'],
  ['iCloud gesperrt', 'activation_locked'],
  ['ohne Ladegerät', 'missing_accessories'],
  ['sudužęs ekranas', 'cracked_screen'],
  ['įskilęs ekranas', 'cracked_screen'],
  ['skilusi nugarėlė', 'cracked_back'],
  ['neveikia', 'no_power'],
  ['neįsijungia', 'no_power'],
  ['dalims', 'no_power'],
  ['silpna baterija', 'weak_battery'],
  ['baterija 72%', 'weak_battery'],
  ['neveikia Face ID', 'biometric_sensor'],
  ['apliets vandeniu', 'water_damage'],
  ['užrakintas iCloud', 'activation_locked'],
  ['nesikrauna', 'charging_port'],
  ['액정 깨짐', 'cracked_screen'],
  ['액정파손', 'cracked_screen'],
  ['액정이 깨졌어요', 'cracked_screen'],
  ['후면 파손', 'cracked_back'],
  ['고장', 'no_power'],
  ['부품용', 'no_power'],
  ['침수', 'water_damage'],
  ['전원 안켜짐', 'no_power'],
  ['페이스아이디 안됨', 'biometric_sensor'],
  ['카메라 고장', 'camera'],
  ['배터리 74%', 'weak_battery'],
  ['아이클라우드 잠김', 'activation_locked'],
  ['écran cassé', 'cracked_screen'],
  ['pantalla rota', 'cracked_screen'],
  ['schermo rotto', 'cracked_screen'],
  ['na części', 'no_power'],
]

/** Words that state no defect. */
const HARMLESS_PHRASES: readonly string[] = [
  'no cracks',
  'no scratches',
  'screen not cracked',
  'cracked screen protector',
  'battery 92 %',
  'new battery',
  'fully working',
  'without water damage',
  'ohne Kratzer',
  'kein Displayschaden',
  'simlockfrei',
  'unlocked',
  'be įbrėžimų',
  '기스 없음',
  'with Face ID',
  'Midnight',
  'lovely phone, selling because of upgrade',
  'Handy mit Rechnung, voll funktionsfähig',
  'puikiai veikia, su dėžute',
  '팝니다 직거래',
]

const GRADE_PHRASES: readonly (readonly [string, string])[] = [
  ['poor condition', 'Poor'],
  ['in mint condition', 'Excellent'],
  ['like new', 'Excellent'],
  ['very good condition', 'Good'],
  ['guter Zustand', 'Good'],
  ['deutliche Gebrauchsspuren', 'Fair'],
  ['prasta būklė', 'Poor'],
  ['A급', 'Good'],
]

/** Statements are learned: what is read otherwise is listed with the test that fails. */
function expectMost(share: number, misread: readonly string[], of: number): void {
  expect(1 - misread.length / of, misread.join('\n')).toBeGreaterThanOrEqual(share)
}

onSqlite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.openFull())
  })
  afterAll(() => service.stop())

  const appraise = async (json: object): Promise<AppraisalWire> => {
    const { status, body } = await service.ask('/api/appraisals', { tier: 'enterprise', json })
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
    return body.data
  }
  const appraiseAll = async (items: readonly object[]): Promise<AppraisalWire[]> => {
    const { body } = await service.ask('/api/appraisals/batch', { tier: 'enterprise', json: { items } })
    return body.data.map((item: { result: AppraisalWire }) => item.result)
  }
  const reasons = ({ offer }: AppraisalWire) => offer.reasons.map(({ code }) => code)
  const texts = (phrases: readonly string[]) =>
    phrases.map((phrase) => ({ text: `iPhone 13 128GB ${phrase}`, condition: 'Good' }))

  describe('a text', () => {
    test('that states a defect is the device with that defect, in every language', async () => {
      const appraisals = await appraiseAll(texts(DEFECT_PHRASES.map(([phrase]) => phrase)))
      const misread = DEFECT_PHRASES.flatMap(([phrase, code], at) => {
        const { identity, defects, read_from_text: fields } = appraisals[at] as AppraisalWire
        const isNamed = fields.some(({ field, value }) => field === 'defects' && value === code)
        const isRead = identity.device_id === PHONE && defects.join() === code && isNamed
        return isRead ? [] : [`${phrase}: ${identity.device_id} ${defects.join()}`]
      })
      expectMost(0.9, misread, DEFECT_PHRASES.length)
    })

    test('that states a defect is offered less than one that does not', async () => {
      const [plain, ...defective] = await appraiseAll(texts(['', ...DEFECT_PHRASES.map(([phrase]) => phrase)]))
      for (const { defects, offer } of defective) {
        // A missing charger costs less than the rounding of offers.
        if (defects.length === 0 || defects.includes('missing_accessories')) continue
        expect({ defects, isLower: (offer.max_offer ?? 0) < (plain?.offer.max_offer ?? 0) }).toEqual({
          defects,
          isLower: true,
        })
      }
    })

    test('that denies a defect or describes something else states none', async () => {
      const appraisals = await appraiseAll(texts(HARMLESS_PHRASES))
      const misread = HARMLESS_PHRASES.flatMap((phrase, at) => {
        const { identity, defects, offer } = appraisals[at] as AppraisalWire
        const isBought = identity.device_id === PHONE && defects.length === 0 && offer.decision === 'buy'
        return isBought ? [] : [`${phrase}: ${identity.device_id} ${defects.join()} ${offer.decision}`]
      })
      expectMost(0.9, misread, HARMLESS_PHRASES.length)
    })

    test('states the grade where the request does not', async () => {
      const items = GRADE_PHRASES.map(([phrase]) => ({ text: `iPhone 13 128GB ${phrase}` }))
      const appraisals = await appraiseAll(items)
      expect(appraisals.map(({ offer }, at) => [GRADE_PHRASES[at]?.[0], offer.condition])).toEqual(
        GRADE_PHRASES.map(([phrase, grade]) => [phrase, grade as 'Good']),
      )
      for (const appraisal of appraisals) expect(reasons(appraisal)).not.toContain('condition_missing')
    })

    test('that names a locked carrier is priced as locked', async () => {
      const locked = await appraise({ text: 'iPhone 13 128GB', condition: 'Good', lock: 'locked' })
      for (const words of ['AT&T locked', 'carrier locked', 'SIM-locked', 'locked to Vodafone', 'SIM-Lock']) {
        const appraisal = await appraise({ text: `iPhone 13 128GB ${words}`, condition: 'Good' })
        expect({ words, lock: appraisal.lock, offer: appraisal.offer.max_offer }).toEqual({
          words,
          lock: 'locked',
          offer: locked.offer.max_offer,
        })
        expect(appraisal.read_from_text).toContainEqual(expect.objectContaining({ field: 'lock', value: 'locked' }))
      }
      const unlocked = await appraise({ text: 'iPhone 13 128GB', condition: 'Good' })
      expect(locked.offer.max_offer ?? 0).toBeLessThan(unlocked.offer.max_offer ?? 0)
    })

    test('with words that may state a fault is inspected or has the fault, and never bought as faultless', async () => {
      const phrases = [
        ...['damaged', 'untested', 'reboots randomly', 'sometimes hangs', 'bank repossessed', 'password forgotten'],
        ...['beschädigt', 'zeitweise Abstürze', 'pažeistas', '하자', 'сгорел', 'hat eine Macke', 'sin probar'],
      ]
      const appraisals = await appraiseAll(texts(phrases))
      const misread = phrases.flatMap((phrase, at) => {
        const { offer, identity, defects } = appraisals[at] as AppraisalWire
        const named = offer.reasons.some(({ code, message }) => code === 'unread_words' && message.includes(phrase))
        const isSeen = identity.device_id === PHONE && (defects.length > 0 || (offer.decision === 'inspect' && named))
        return isSeen ? [] : [`${phrase}: ${identity.device_id} ${defects.join()} ${offer.decision}`]
      })
      expectMost(0.8, misread, phrases.length)
    })

    test('that says that the device is barred gets no offer', async () => {
      const stolen = await appraise({ text: 'iPhone 13 128GB blacklisted', condition: 'Good' })
      expect(stolen.offer).toMatchObject({ decision: 'inspect', max_offer: 0 })
    })

    test('that states a fault which the device cannot have is inspected, and the words are named', async () => {
      // A console has no screen of its own.
      const console = await appraise({ text: 'Sony PlayStation 5 cracked screen', condition: 'Good' })
      expect(console.offer.decision).toBe('inspect')
      expect(reasons(console)).toContain('unread_words')
    })

    test('of a graphics card or an accessory is no device with another suffix', async () => {
      expect((await appraise({ text: 'RTX 4060 Xq broken' })).offer.decision).toBe('identify')
      expect((await appraise({ text: 'iPhone 13 wallet leather' })).offer.decision).toBe('identify')
    })

    test('of a broken accessory is no device, unlike a device whose accessory is broken', async () => {
      expect((await appraise({ text: 'iPhone 13 case cracked' })).offer.decision).toBe('identify')
      expect((await appraise({ text: 'iPhone 13 charger broken' })).offer.decision).toBe('identify')
      expect((await appraise({ text: 'iPhone 13 128GB, charger broken', condition: 'Good' })).identity.device_id).toBe(
        PHONE,
      )
    })

    test('with "mint" states the grade of a device that never had that color, and else the color', async () => {
      const graded = await appraise({ text: 'iPhone 14 Pro 256GB mint' })
      expect(graded.read_from_text).toContainEqual({ words: 'mint', field: 'condition', value: 'Excellent' })
      const colored = await appraise({ text: 'Galaxy Z Flip5 256GB mint' })
      expect(colored.read_from_text).toContainEqual({ words: 'mint', field: 'attributes.color', value: 'mint' })
    })

    test('that denies a fault states none, also of several', async () => {
      for (const words of [
        'no dents or scratches',
        'sin golpes ni arañazos',
        'keine Dellen oder Kratzer',
        'never repaired',
      ])
        expect({
          words,
          read: (await appraise({ text: `iPhone 13 128GB ${words}`, condition: 'Good' })).offer.reasons.map(
            ({ code }) => code,
          ),
        }).toEqual({ words, read: expect.not.arrayContaining(['unread_words']) })
    })

    test('of a device that does not work is that device', async () => {
      const appraisal = await appraise({ text: 'iphone 12 kaputt' })
      expect(appraisal.identity.device_id).toBe('apple-iphone-12')
      expect(appraisal.defects).toEqual(['no_power'])
      expect(appraisal.read_from_text).toContainEqual({ words: 'kaputt', field: 'defects', value: 'no_power' })
      const locked = await appraise({ text: 'iPhone 13 iCloud locked for parts' })
      expect(locked.defects.toSorted()).toEqual(['activation_locked', 'no_power'])
    })

    test('is read word by word', async () => {
      const appraisal = await appraise({ text: 'iPhone 13 128GB cracked screen, battery 74 %, poor condition' })
      expect(appraisal.read_from_text).toEqual([
        { words: 'cracked screen', field: 'defects', value: 'cracked_screen' },
        { words: 'battery 74 %', field: 'battery_health', value: '74' },
        { words: 'battery 74 %', field: 'defects', value: 'weak_battery' },
        { words: 'poor', field: 'condition', value: 'Poor' },
        { words: '128GB', field: 'attributes.storage', value: '128GB' },
      ])
    })

    test('of a game with a fault word in its title is no device, unlike a console with the fault', async () => {
      for (const text of ['PS5 Dead Island', 'PS4 Crash Bandicoot', 'Switch Lite Dead Cells', 'Switch Broken Sword']) {
        const { offer } = await appraise({ text, condition: 'Good' })
        expect({ text, decision: offer.decision }).toEqual({ text, decision: 'identify' })
      }
      expect((await appraise({ text: 'PS5 dead', condition: 'Good' })).defects).toEqual(['no_power'])
    })

    test('that asks for a device is no device', async () => {
      const { offer, read_from_text: read } = await appraise({ text: 'Looking for iPhone 13 128GB' })
      expect(offer.decision).toBe('identify')
      expect(read).toContainEqual(expect.objectContaining({ field: 'wanted', value: 'true' }))
    })
  })

  describe('a stated field', () => {
    test('wins over the text, and the difference is named', async () => {
      const worse = await appraise({ text: 'iPhone 13 128GB poor condition', condition: 'Good' })
      expect(worse.offer).toMatchObject({ condition: 'Good', decision: 'inspect' })
      expect(worse.contradictions).toMatchObject([
        { field: 'condition', stated: 'Good', words: 'poor condition', value: 'Poor' },
      ])
      const better = await appraise({ text: 'iPhone 13 128GB like new', condition: 'Fair' })
      expect(better.offer).toMatchObject({ condition: 'Fair', decision: 'buy' })
      expect(better.contradictions).toMatchObject([{ field: 'condition', stated: 'Fair', value: 'Excellent' }])
      const unlocked = await appraise({ text: 'iPhone 13 128GB AT&T locked', condition: 'Good', lock: 'unlocked' })
      expect(unlocked).toMatchObject({ lock: 'unlocked', contradictions: [{ field: 'lock', stated: 'unlocked' }] })
      const none = await appraise({ text: 'iPhone 13 128GB cracked screen', condition: 'Good', defects: [] })
      expect(none).toMatchObject({ defects: [], contradictions: [{ field: 'defects', value: 'cracked_screen' }] })
      expect(none.offer.decision).toBe('inspect')
      const storage = { text: 'iPhone 13 128GB', attributes: { storage: '256GB' }, condition: 'Good' }
      expect(await appraise(storage)).toMatchObject({
        contradictions: [{ field: 'attributes.storage', stated: '256GB', value: '128GB' }],
      })
    })

    test('and the text add up to all defects', async () => {
      const json = { text: 'iPhone 13 128GB cracked screen', condition: 'Good', defects: ['weak_battery'] }
      expect((await appraise(json)).defects.toSorted()).toEqual(['cracked_screen', 'weak_battery'])
    })
  })
})
