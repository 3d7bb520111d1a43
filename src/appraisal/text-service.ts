/** Reads texts as an organization does: with the words that it taught, and with the catalogue for what names the device. */
import type { MatchingService } from '../catalog/matching/matching-service.ts'
import { isOnlyName } from '../catalog/matching/only-name.ts'
import { conditionFor, type MatchedText } from '../catalog/matching/present.ts'
import type { Resolution, TitleListing } from '../catalog/matching/resolution.ts'
import { oneAtATime, runTimeSliced } from '../lib/event-loop.ts'
import { readTextInSlices } from '../text/reader.ts'
import type { TaughtPhrases } from '../text/taught.ts'
import { type DescribedDevice, describeDevice } from './described-device.ts'
import { findDescribedDevice } from './described-match.ts'
import type { TextMatch } from './identity.ts'
import { completeRequest, type StatedFields } from './read-request.ts'

/** What a text says about a device, and the device that it names; null if it names none. */
export type TextDescription = { readonly described: DescribedDevice; readonly match: TextMatch | null }

export type TextService = {
  describe(text: string, attributes: Readonly<Record<string, string>>, organizationId: string): Promise<TextDescription>
  /** Synchronous for a text that is nothing but the name of a device. */
  match(listing: TitleListing, organizationId: string): MatchedText | Promise<MatchedText>
}

export function createTextService({
  matching,
  taughtPhrases,
}: {
  readonly matching: Pick<MatchingService, 'match'>
  readonly taughtPhrases: (organizationId: string) => Promise<TaughtPhrases>
}): TextService {
  const inTurn = oneAtATime()
  const read = async (text: string, organizationId: string): Promise<DescribedDevice> => {
    const taught = await taughtPhrases(organizationId)
    return inTurn(organizationId, async () => describeDevice(text, await runTimeSliced(readTextInSlices(text, taught))))
  }

  async function describe(
    text: string,
    { storage, ram, color }: Readonly<Record<string, string>>,
    organizationId: string,
  ): Promise<TextDescription> {
    const described = await read(text, organizationId)
    const stated = { storage: storage ?? null, ram: ram ?? null, color: color ?? null, mayBeDefective: true }
    const match = await findDescribedDevice(described, async (name) =>
      toTextMatch(await matching.match({ ...stated, text: name })),
    )
    return { described, match }
  }

  async function matchBesideStatements(
    listing: TitleListing,
    organizationId: string,
    whole: Resolution,
  ): Promise<MatchedText> {
    const described = await read(listing.text, organizationId)
    const resolution = isOfferForParts(whole, described)
      ? whole
      : ((await findDescribedDevice(described, (name) =>
          matching.match({ ...listing, text: name, mayBeDefective: true }),
        )) ?? whole)
    const { request, reading } = completeRequest<StatedFields>(
      {},
      described,
      toTextMatch(resolution),
      resolution.device,
    )
    return {
      resolution,
      name: described.names[0] ?? '',
      condition: request.condition ?? null,
      // The match has attributes of its own.
      readFields: reading.readFields.filter(({ field }) => !field.startsWith('attributes.')),
      unreadWords: reading.unreadWords,
    }
  }

  const matchWhole = (listing: TitleListing, organizationId: string, whole: Resolution) =>
    whole.device !== null && isOnlyName(listing.text, whole.device)
      ? onlyName(listing.text, whole)
      : matchBesideStatements(listing, organizationId, whole)

  return {
    describe,
    match(listing, organizationId) {
      const whole = matching.match(listing)
      return whole instanceof Promise
        ? whole.then((resolution) => matchWhole(listing, organizationId, resolution))
        : matchWhole(listing, organizationId, whole)
    },
  }
}

const onlyName = (text: string, resolution: Resolution): MatchedText => ({
  resolution,
  name: text.trim(),
  condition: null,
  readFields: [],
  unreadWords: [],
})

/** "for parts or not working": a title that says so and names no single fault offers no device that works. */
const isOfferForParts = ({ rejection }: Resolution, { reading }: DescribedDevice) =>
  rejection === 'for_parts' &&
  reading.statements.every(({ code, assertion }) => assertion !== 'present' || code === 'no_power')

const toTextMatch = (match: Resolution): TextMatch => ({
  device: match.device,
  variants: match.variants,
  attributes: match.attributes,
  confidence: match.confidence,
  candidates: match.device ? [] : match.candidates,
  rejection: match.rejection,
  condition: conditionFor(match.conditions),
  conditionWords: match.conditions,
  defectWords: match.defectWords,
  wantedWords: match.wantedWords,
  unmatchedWords: match.unmatchedWords,
})
