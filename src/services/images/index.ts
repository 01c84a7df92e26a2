import type { Service } from '../service.ts';
import { getImage } from './get-image.ts';

export const imagesServices: Service[] = [getImage];
