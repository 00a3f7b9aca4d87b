import { z } from "zod";
import { LARGEST_PICTURE } from "@/shared/ui/picture-field.tsx";

/** A chosen picture that the server would take by its size. */
export const PICTURE = z
  .instanceof(File)
  .refine(({ size }) => size > 0, "图片是空的")
  .refine(({ size }) => size <= LARGEST_PICTURE, "图片最大 8 MB，请先缩小")
  .nullable();
