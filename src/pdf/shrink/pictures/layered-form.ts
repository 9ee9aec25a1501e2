// Draws layers in PDF: a form of one unit by one in place of the picture (ISO 32000-1, 8.10).
import { serialize } from '../../syntax/serialize.ts';
import type { Value } from '../../syntax/values.ts';
import type { RasterLayers } from '../layers/mixed-raster.ts';
import type { Reduced, Referring } from './reduced.ts';

const OF_PICTURES = [
  ...['Width', 'Height', 'BitsPerComponent', 'ColorSpace', 'Decode', 'Interpolate', 'Intent', 'Filter', 'DecodeParms'],
  ...['ImageMask', 'Mask', 'SMask', 'Alternates', 'Name', 'OPI'],
];

/** `space`: of the picture, in which the layers' colours are given. */
export function formOfLayers(
  { stencil, ground, color }: Pick<RasterLayers, 'stencil' | 'ground' | 'color'>,
  size: { readonly width: number; readonly height: number },
  space: Value,
): Reduced {
  const mask = `/ImageMask true/BitsPerComponent 1/Filter/JBIG2Decode`;
  const spaceText = (ref: Referring) => serialize(space, ({ num }) => `${ref(num)} 0 R`);
  const image = ({ width, height }: { width: number; height: number }, rest: string) =>
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${rest}`;
  const jpeg = (ref: Referring) => `/BitsPerComponent 8/ColorSpace ${spaceText(ref)}/Filter/DCTDecode`;
  const inks = 'jpeg' in color ? color : undefined;
  const sole = 'jpeg' in color ? [] : color.map((sample) => Number((sample / 255).toFixed(3)));
  return {
    data: Buffer.from(inks === undefined ? `/G Do /C cs ${sole.join(' ')} sc /I Do` : '/G Do /I Do'),
    paired: false,
    parts: [
      { data: ground.jpeg, entries: (ref) => image(ground, jpeg(ref)) },
      { data: stencil, entries: () => image(size, mask) },
      ...(inks === undefined
        ? []
        : [
            {
              data: inks.jpeg,
              entries: (ref: Referring, before: readonly number[]) => `${image(inks, jpeg(ref))}/Mask ${before[1]} 0 R`,
            },
          ]),
    ],
    entries: (ref, parts) => {
      const drawn = `/G ${parts[0]} 0 R/I ${parts.at(-1)} 0 R`;
      const spaces = inks === undefined ? `/ColorSpace<</C ${spaceText(ref)}>>` : '';
      return new Map([
        ...OF_PICTURES.map((key) => [key, undefined] as const),
        ['Subtype', '/Form'],
        ['BBox', '[0 0 1 1]'],
        ['Resources', `<</XObject<<${drawn}>>${spaces}>>`],
      ]);
    },
  };
}
