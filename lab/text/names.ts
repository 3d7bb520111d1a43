/** Titles of devices of the bundled catalogue, as sellers shorten and adorn them. */
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'

const COLOURS = [
  ...[
    'Black',
    'Blue',
    'white',
    'Midnight',
    'space grey',
    'gold',
    'Titanium',
    'green',
    'schwarz',
    'weiß',
    'blau',
    'negro',
    'azul',
  ],
  ...[
    'blanco',
    'noir',
    'bleu',
    'nero',
    'zwart',
    'juoda',
    'balta',
    'crni',
    'czarny',
    'siyah',
    'черный',
    'белый',
    '블랙',
    '黒',
    '黑色',
    'أسود',
    'μαύρο',
  ],
]

export function deviceNames(): string[] {
  return [...bundledDevices()].flatMap((device, index) => {
    const storage = device.variants[index % device.variants.length]?.attributes.find(
      ({ name }) => name === 'storage',
    )?.value
    const whole = [device.make, device.name].join(' ')
    const colour = COLOURS[index % COLOURS.length]
    const forms = [
      whole,
      device.name,
      storage ? `${device.name} ${storage}` : whole.toLowerCase(),
      storage ? `${whole} ${storage.toLowerCase()}` : device.name.toLowerCase(),
      `${device.name} ${storage ?? ''} ${colour}`.replace(/ +/g, ' '),
      `${whole}, ${colour}${storage ? `, ${storage}` : ''}`,
    ]
    return [forms[index % forms.length] as string]
  })
}
